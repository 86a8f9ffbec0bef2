// Wishes of users, the order of submission, drift and promises, on the simulated cluster.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/live/schedule.h"

namespace wavewright {
namespace {

using ::testing::ElementsAre;

constexpr Duration second = ms(1'000), hour = ms(3'600'000);

const LiveJob& job_of(const Schedule& schedule, std::size_t place) {
  return schedule.cluster.written().jobs[place];
}

std::size_t times(const Schedule& schedule, const std::string& what, const std::string& job) {
  return static_cast<std::size_t>(
      std::count_if(schedule.cluster.log().begin(), schedule.cluster.log().end(),
                    [&](const LiveEvent& event) { return event.what == what && event.job == job; }));
}

// Steps of a second until the job is in that state; false if it was not within ten minutes.
bool until(Schedule& schedule, std::size_t place, LiveState state) {
  for (int i = 0; i < 600 && job_of(schedule, place).state != state; ++i) schedule.step(second);
  return job_of(schedule, place).state == state;
}

SimulatedJob long_job() {
  return {.applications = 1, .detached = false, .length = 100 * hour};
}

// Jobs with one map of so many seconds each, and a dispatching queue.
LiveBatch queued(const std::vector<std::int64_t>& seconds, const std::string& when) {
  LiveBatch batch = batch_of_jobs(seconds.size());
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    batch.jobs[i].maps = {1, ms(1'000 * seconds[i])};
    batch.jobs[i].profile = "etl";
  }
  batch.ordering = {.when = when, .mode = OrderingMode::alg, .pool = {1, 1}};
  return batch;
}

TEST(DriverOrder, AHeldJobIsCancelledIfTheJobBeforeItFails) {
  LiveBatch batch = batch_of_jobs(3);
  batch.jobs[0].after = {"J2"};  // before the one it waits for, so that one look is not enough
  batch.jobs[1].after = {"J3"};
  Schedule schedule(1, batch, std::vector<SimulatedJob>(3), {.bad_command = 1});
  schedule.cluster.wish_for("J1", Wish::hold);
  schedule.step(second);
  ASSERT_EQ(job_of(schedule, 0).state, LiveState::held);
  ASSERT_TRUE(until(schedule, 2, LiveState::failed));
  // In the step that saw J3 fail, both go: J2, and J1 behind it.
  EXPECT_EQ(job_of(schedule, 1).state, LiveState::cancelled);
  EXPECT_EQ(job_of(schedule, 0).state, LiveState::cancelled);
  EXPECT_EQ(job_of(schedule, 0).reason, "J2 before it is cancelled");
}

TEST(DriverOrder, AHeldJobCanBeCancelled) {
  Schedule schedule(1, batch_of_jobs(1), std::vector<SimulatedJob>(1), {});
  schedule.cluster.wish_for("J1", Wish::hold);
  schedule.step(second);
  ASSERT_EQ(job_of(schedule, 0).state, LiveState::held);
  schedule.cluster.wish_for("J1", Wish::cancel);
  schedule.step(second);
  EXPECT_EQ(job_of(schedule, 0).state, LiveState::cancelled);
}

TEST(DriverOrder, ACancelThatIsAskedTwiceIsToldOnce) {
  Schedule schedule(1, batch_of_jobs(1), {long_job()}, {});
  ASSERT_TRUE(until(schedule, 0, LiveState::running));
  schedule.cluster.wish_for("J1", Wish::cancel);
  schedule.cluster.wish_for("J1", Wish::cancel);
  schedule.step(ms(1));
  EXPECT_EQ(times(schedule, "Cancelling", "J1"), 1U);
}

TEST(DriverOrder, ALateCancelledJobIsNotTold) {
  LiveBatch batch = batch_of_jobs(1);
  batch.jobs[0].not_before = at_ms(1'700'000'000'000 + 1'000'000 + 900'000);
  batch.jobs[0].deadline = at_ms(1'700'000'000'000 + 1'000'000 + 300'000);
  Schedule schedule(1, batch, std::vector<SimulatedJob>(1), {});
  schedule.cluster.wish_for("J1", Wish::cancel);
  for (int i = 0; i < 400; ++i) schedule.step(second);
  ASSERT_EQ(job_of(schedule, 0).state, LiveState::cancelled);
  EXPECT_EQ(times(schedule, "Late", "J1"), 0U);
  EXPECT_FALSE(job_of(schedule, 0).late);
}

TEST(DriverOrder, ARoundIsTakenInTheInstantInWhichItIsDue) {
  Schedule schedule(1, queued({10}, "tp-fti(60s)"), std::vector<SimulatedJob>(1), {});
  schedule.start_program();
  schedule.driver->step();
  const Duration began = schedule.cluster.now();
  schedule.cluster.advance(ms(0));
  while (schedule.cluster.now() - began < ms(59'000)) schedule.step(second);
  EXPECT_EQ(job_of(schedule, 0).attempts, 0);
  while (schedule.cluster.now() - began < ms(62'000)) schedule.step(ms(100));
  EXPECT_EQ(job_of(schedule, 0).attempts, 1);
}

// The command of the shortest job is not started at first; it keeps its place before the others.
TEST(DriverOrder, AJobThatIsTriedAgainGoesFirst) {
  LiveBatch batch = queued({5, 10, 20}, "pnj(3)");
  Schedule schedule(1, batch, std::vector<SimulatedJob>(3), {});
  schedule.cluster.refuse_starts(1);
  ASSERT_EQ(schedule.run(ms(0), second), "");
  EXPECT_EQ(job_of(schedule, 0).attempts, 2);
  EXPECT_THAT(schedule.cluster.accepted(), ElementsAre("J1", "J2", "J3"));
}

TEST(DriverOrder, FactorsOfADriftAreToTheProfileAndReachWhatIsHeld) {
  Schedule schedule(1, queued({5, 10, 20}, "pnj(3)"),
                    {long_job(), {.length = ms(20'000)}, {.length = ms(20'000)}}, {}, {.most_at_once = 1});
  ASSERT_TRUE(until(schedule, 0, LiveState::running));
  ASSERT_EQ(job_of(schedule, 1).state, LiveState::waiting);
  schedule.cluster.wish_for("J2", Wish::hold);
  schedule.step(second);
  ASSERT_EQ(job_of(schedule, 1).state, LiveState::held);
  // Jobs that are held take the change, too: ten times as long, then five times, to the same profile.
  schedule.driver->drifted("J1", 10, std::nullopt, "slow");
  schedule.driver->drifted("J1", 5, std::nullopt, "less slow");
  schedule.step(second);
  EXPECT_EQ(job_of(schedule, 1).maps.mean, ms(50'000));
  EXPECT_EQ(job_of(schedule, 2).maps.mean, ms(100'000));
  EXPECT_EQ(job_of(schedule, 1).map_drift, 5);
  EXPECT_EQ(times(schedule, "Drifted", "J1"), 2U);
}

TEST(DriverOrder, JobsWithoutAProfileDriftAlone) {
  LiveBatch batch = queued({5, 10}, "pnj(2)");
  for (LiveJob& job : batch.jobs) job.profile.clear();
  Schedule schedule(1, batch, {long_job(), {}}, {}, {.most_at_once = 1});
  ASSERT_TRUE(until(schedule, 0, LiveState::running));
  schedule.driver->drifted("J1", 3, std::nullopt, "slow");
  schedule.step(second);
  EXPECT_EQ(job_of(schedule, 0).maps.mean, ms(15'000));
  EXPECT_EQ(job_of(schedule, 1).maps.mean, ms(10'000));
}

TEST(DriverOrder, AFactorOfZeroAndAJobThatDoesNotRunChangeNothing) {
  Schedule schedule(1, queued({5, 10}, "pnj(2)"), {long_job(), {}}, {}, {.most_at_once = 1});
  ASSERT_TRUE(until(schedule, 0, LiveState::running));
  schedule.driver->drifted("J1", 0, std::nullopt, "nothing");
  schedule.driver->drifted("J2", 3, std::nullopt, "it waits");
  schedule.step(second);
  EXPECT_EQ(job_of(schedule, 0).maps.mean, ms(5'000));
  EXPECT_EQ(job_of(schedule, 1).maps.mean, ms(10'000));
  EXPECT_EQ(times(schedule, "Drifted", "J2"), 0U);
}

// Without a drift the order of a round stands: J2 before J3. With it the shorter one goes first.
TEST(DriverOrder, ADriftOfOneProfilePutsTheOthersFirst) {
  LiveBatch batch = queued({5, 10, 20}, "pnj(3)");
  batch.jobs[2].profile = "report";
  Schedule schedule(1, batch, {long_job(), {.length = ms(20'000)}, {.length = ms(20'000)}}, {},
                    {.most_at_once = 1});
  ASSERT_TRUE(until(schedule, 0, LiveState::running));
  schedule.driver->drifted("J1", 4, std::nullopt, "slow");
  schedule.step(second);
  schedule.cluster.wish_for("J1", Wish::cancel);
  ASSERT_EQ(schedule.run(ms(0), second), "");
  EXPECT_THAT(schedule.cluster.accepted(), ElementsAre("J1", "J3", "J2"));
}

TEST(DriverOrder, APromiseIsWrittenOnceAndOnlyToAJobThatHasNotEnded) {
  Schedule schedule(1, batch_of_jobs(2), {{}, long_job()}, {});
  ASSERT_TRUE(until(schedule, 1, LiveState::running));
  ASSERT_TRUE(until(schedule, 0, LiveState::done));
  const Time start = at_ms(1'800'000'000'000);
  schedule.driver->promise("J1", start, start + hour);
  schedule.driver->promise("J2", start, start + hour);
  schedule.driver->note("J1", "Progress", "all");
  schedule.step(second);
  EXPECT_EQ(job_of(schedule, 1).expected_end, start + hour);
  EXPECT_EQ(job_of(schedule, 0).expected_end, std::nullopt);
  EXPECT_EQ(times(schedule, "Progress", "J1"), 0U);
  schedule.driver->promise("J2", start, start + 2 * hour);
  schedule.step(second);
  EXPECT_EQ(job_of(schedule, 1).expected_end, start + hour);
}

// A command that never gets an application holds the next job up for `patience`, and no longer.
TEST(DriverOrder, TheNextJobIsSubmittedWhenPatienceEnds) {
  DriverOptions options;
  options.patience = ms(60'000);
  Schedule schedule(1, batch_of_jobs(2), {{.prepares = 10 * hour}, {}}, {}, options);
  schedule.step(ms(1));
  ASSERT_EQ(job_of(schedule, 0).state, LiveState::submitting);
  const Duration began = schedule.cluster.now();
  while (job_of(schedule, 1).attempts == 0 && schedule.cluster.now() - began < hour) schedule.step(second);
  EXPECT_EQ(job_of(schedule, 0).state, LiveState::submitting);
  EXPECT_GE(schedule.cluster.now() - began, ms(59'000));
  EXPECT_LT(schedule.cluster.now() - began, ms(65'000));
}

}  // namespace
}  // namespace wavewright
