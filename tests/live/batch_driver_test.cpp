#include "wavewright/live/batch/batch_driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/live/schedule.h"

namespace wavewright {
namespace {

using ::testing::ElementsAre;

TEST(BatchDriver, WithoutFaultsJobsAreAcceptedInTheirOrder) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Schedule schedule(seed, batch_of_jobs(4), std::vector<SimulatedJob>(4), {});
    ASSERT_EQ(schedule.run(ms(0), ms(1'000)), "");
    EXPECT_THAT(schedule.cluster.accepted(), ElementsAre("J1", "J2", "J3", "J4"));
    for (const LiveJob& job : schedule.cluster.written().jobs) {
      EXPECT_EQ(job.state, LiveState::done) << job.reason;
      EXPECT_EQ(job.attempts, 1);
      EXPECT_LT(job.accepted_at, job.started_at);
      EXPECT_LT(job.started_at, job.ended_at);
    }
  }
}

TEST(BatchDriver, ACancelledJobIsKilled) {
  One one({}, {.applications = 1, .detached = false, .length = ms(100 * 3'600'000)});
  ASSERT_TRUE(one.until(LiveState::running));
  one.schedule.cluster.wish_for("J1", Wish::cancel);
  ASSERT_TRUE(one.until(LiveState::cancelled));
  EXPECT_EQ(one.job().reason, "as its user asked");
  one.schedule.cluster.check_end();
  EXPECT_EQ(one.schedule.cluster.violation(), "");
}

TEST(BatchDriver, AJobCancelledBeforeTheClusterHasItNeverGetsThere) {
  One one;
  one.schedule.step(ms(1));
  ASSERT_EQ(one.job().state, LiveState::submitting);
  one.schedule.cluster.wish_for("J1", Wish::cancel);
  one.schedule.step(ms(1));
  ASSERT_TRUE(one.until(LiveState::cancelled));
  EXPECT_TRUE(one.schedule.cluster.accepted().empty());
}

TEST(BatchDriver, WritesOnlyWhatChanges) {
  One one({}, {.applications = 1, .detached = false, .length = ms(100 * 3'600'000)});
  one.schedule.cluster.wish_for("J1", Wish::release);
  ASSERT_TRUE(one.until(LiveState::running));
  one.schedule.step(ms(1'000));
  const int before = one.schedule.cluster.writes();
  for (int i = 0; i < 10; ++i) one.schedule.step(ms(1'000));
  EXPECT_EQ(one.schedule.cluster.writes(), before);
}

TEST(BatchDriver, ACommandThatFailsWithoutAnApplicationIsNotStartedAgain) {
  One one({.bad_command = 1});
  ASSERT_TRUE(one.until(LiveState::failed));
  EXPECT_EQ(one.job().attempts, 1);
  EXPECT_EQ(one.job().reason, "its command ended with 1: last words");
}

TEST(BatchDriver, AHeldJobWaitsUntilItIsReleased) {
  One one;
  one.schedule.cluster.wish_for("J1", Wish::hold);
  EXPECT_FALSE(one.until([](const LiveJob& job) { return job.attempts > 0; }));
  EXPECT_EQ(one.job().state, LiveState::held);
  one.schedule.cluster.wish_for("J1", Wish::release);
  EXPECT_TRUE(one.until(LiveState::done));
}

TEST(BatchDriver, NoMoreJobsAreOnTheClusterAtOnceThanAsked) {
  for (const std::size_t most : {1U, 2U}) {
    DriverOptions options;
    options.most_at_once = most;
    Schedule schedule(3, batch_of_jobs(5), std::vector<SimulatedJob>(5), {}, options);
    std::size_t peak = 0;
    while (!schedule.ended()) {
      schedule.step(ms(1'000));
      const auto& jobs = schedule.cluster.written().jobs;
      peak = std::max(
          peak, static_cast<std::size_t>(std::count_if(
                    jobs.begin(), jobs.end(), [](const LiveJob& job) { return has_begun(job.state); })));
    }
    EXPECT_EQ(peak, most);
  }
}

TEST(BatchDriver, NoMoreCommandsAreOnTheirWayThanAsked) {
  for (const std::size_t most : {1U, 3U}) {
    DriverOptions options;
    options.most_submitting = most;
    Schedule schedule(3, batch_of_jobs(6), std::vector<SimulatedJob>(6), {}, options);
    std::size_t peak = 0;
    while (!schedule.ended()) {
      schedule.step(ms(1'000));
      const auto& jobs = schedule.cluster.written().jobs;
      peak = std::max(
          peak, static_cast<std::size_t>(std::count_if(jobs.begin(), jobs.end(), [](const LiveJob& job) {
            return job.state == LiveState::submitting;
          })));
    }
    EXPECT_EQ(peak, most);
  }
}

TEST(BatchDriver, AJobWhoseClientIsAlwaysKilledFailsInTheEnd) {
  One one({.client_dies = 2});
  ASSERT_TRUE(one.until(LiveState::failed));
  EXPECT_EQ(one.job().attempts, 5);
  EXPECT_EQ(one.job().reason, "5 attempts: its command was lost before the cluster had it");
}

LiveBatch with_lengths(const std::vector<std::int64_t>& seconds) {
  LiveBatch batch = batch_of_jobs(seconds.size());
  for (std::size_t i = 0; i < seconds.size(); ++i) batch.jobs[i].maps = {1, ms(1'000 * seconds[i])};
  return batch;
}

TEST(BatchDriver, RoundsOfTheDispatchingQueueDecideTheOrder) {
  LiveBatch batch = with_lengths({30, 10, 20, 5, 40});
  batch.ordering = {.when = "pnj(3, at_latest=1h)", .mode = OrderingMode::alg, .pool = {1, 1}};
  batch.jobs[3].not_before = batch.jobs[4].not_before = at_ms(1'700'000'000'000 + 1'000'000 + 600'000);
  Schedule schedule(7, batch, std::vector<SimulatedJob>(5), {});
  ASSERT_EQ(schedule.run(ms(0), ms(1'000)), "");
  // The first three make a round, the shortest first. The last two wait for a third until `at_latest`.
  EXPECT_THAT(schedule.cluster.accepted(), ElementsAre("J2", "J3", "J1", "J4", "J5"));
  const auto& jobs = schedule.cluster.written().jobs;
  EXPECT_LT(*jobs[0].submitting_since, at_ms(1'700'001'120'000));
  EXPECT_GE(*jobs[3].submitting_since, at_ms(1'700'001'000'000 + 600'000 + 3'600'000));
}

TEST(BatchDriver, AJobHeldInTheQueueIsNotInItsRound) {
  LiveBatch batch = with_lengths({30, 10, 20});
  batch.ordering = {.when = "tp-fti(60s)", .mode = OrderingMode::alg, .pool = {1, 1}};
  Schedule schedule(7, batch, std::vector<SimulatedJob>(3), {});
  schedule.step(ms(1'000));
  EXPECT_EQ(schedule.cluster.written().jobs[1].attempts, 0) << "no round before a minute has passed";
  schedule.cluster.wish_for("J2", Wish::hold);
  ASSERT_EQ(schedule.run(ms(600'000), ms(1'000)), "");
  EXPECT_THAT(schedule.cluster.accepted(), ElementsAre("J3", "J1", "J2"));
}

TEST(BatchDriver, AJobThatIsAddedRunsToo) {
  Schedule schedule(5, batch_of_jobs(2), std::vector<SimulatedJob>(2), {});
  LiveJob more = batch_of_jobs(3).jobs[2];
  more.after = {"J2"};
  schedule.late = {{ms(5'000), more, {}}};
  ASSERT_EQ(schedule.run(ms(600'000), ms(1'000)), "");
  EXPECT_THAT(schedule.cluster.accepted(), ElementsAre("J1", "J2", "J3"));
  EXPECT_TRUE(std::any_of(schedule.cluster.log().begin(), schedule.cluster.log().end(),
                          [](const LiveEvent& event) { return event.what == "Added" && event.job == "J3"; }));
}

TEST(BatchDriver, ClusterRestartsFailNoJob) {
  int again = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Schedule schedule(seed, batch_of_jobs(3), std::vector<SimulatedJob>(3), {.restart = 0.02});
    ASSERT_EQ(schedule.run(ms(3'600'000), ms(1'000)), "");
    for (const LiveJob& job : schedule.cluster.written().jobs) {
      EXPECT_EQ(job.state, LiveState::done) << job.reason;
      again += job.attempts > 1;
    }
  }
  EXPECT_GT(again, 0) << "a command that met no cluster is started again";
}

}  // namespace
}  // namespace wavewright
