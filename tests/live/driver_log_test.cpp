// What the log of a batch tells when something goes wrong, so that nothing happens in silence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/live/schedule.h"
#include "tests/live/scripted_cluster.h"

namespace wavewright {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// The details of all events of that word.
std::vector<std::string> told(const SimulatedCluster& cluster, const std::string& what) {
  std::vector<std::string> details;
  for (const LiveEvent& event : cluster.log()) {
    if (event.what == what) details.push_back(event.detail);
  }
  return details;
}

constexpr Duration second = ms(1'000);
const SimulatedJob endless{.applications = 1, .detached = false, .length = ms(100 * 3'600'000)};

TEST(DriverLog, TellsWhoLeads) {
  One one({}, endless);
  ASSERT_TRUE(one.until(LiveState::running));
  one.schedule.end_program();
  one.schedule.step(second);
  one.schedule.step(second);
  EXPECT_THAT(told(one.schedule.cluster, "Led"), ElementsAre("on first", "on first"));
}

TEST(DriverLog, TellsThatTheClusterWasAwayAndHowLong) {
  One one({}, endless);
  ASSERT_TRUE(one.until(LiveState::running));
  one.schedule.cluster.take_away(ms(60'000), Duration{});
  for (int i = 0; i < 100; ++i) one.schedule.step(second);
  EXPECT_THAT(told(one.schedule.cluster, "Away"), ElementsAre("cluster: no answer; wait"));
  EXPECT_THAT(told(one.schedule.cluster, "Back"), ElementsAre(StartsWith("after 1min")));
  EXPECT_THAT(told(one.schedule.cluster, "Slow"), IsEmpty()) << "somebody looked, in vain";
}

// The log cannot be written to while the journal is away; it tells when that began all the same.
TEST(DriverLog, TellsThatTheJournalWasAway) {
  One one({}, endless);
  ASSERT_TRUE(one.until(LiveState::running));
  const Time began = one.schedule.cluster.wall();
  one.schedule.cluster.take_away(Duration{}, ms(60'000));
  for (int i = 0; i < 100; ++i) one.schedule.step(second);
  EXPECT_THAT(told(one.schedule.cluster, "Away"), ElementsAre("journal: no answer; wait"));
  EXPECT_EQ(told(one.schedule.cluster, "Back").size(), 1U);
  for (const LiveEvent& event : one.schedule.cluster.log()) {
    if (event.what == "Away") {
      EXPECT_LT(event.at, began + ms(5'000));
    }
  }
}

TEST(DriverLog, TellsThatTheClockJumped) {
  One one({}, endless);
  ASSERT_TRUE(one.until(LiveState::running));
  one.schedule.cluster.turn_clock(ms(3'600'000));
  one.schedule.step(second);
  one.schedule.cluster.turn_clock(ms(-7'200'000));
  one.schedule.step(second);
  one.schedule.step(second);
  EXPECT_THAT(told(one.schedule.cluster, "ClockJumped"), ElementsAre("forward by 1h", "back by 2h"));
}

TEST(DriverLog, TellsThatTheClustersClockIsAnother) {
  ScriptedCluster script;
  BatchDriver driver(script, script, script, {});
  const auto step_if_ahead = [&](std::int64_t milliseconds) {
    script.clock_ahead = ms(milliseconds);
    driver.step();
  };
  for (const std::int64_t ahead : {0, 4'999, 300'000, 303'000, -60'000, -57'000, 0, 0}) step_if_ahead(ahead);
  std::vector<std::string> heard;
  for (const LiveEvent& event : script.log) {
    if (event.what.starts_with("Clocks")) heard.push_back(event.what + " " + event.detail.substr(0, 40));
  }
  EXPECT_THAT(heard, ElementsAre("ClocksDiffer the cluster's is 5min ahead of ours, and",
                                 "ClocksDiffer the cluster's is 1min behind ours, and s",
                                 "ClocksAgree the cluster's clock and ours"));
}

TEST(DriverLog, TellsOnceThatADeadlineHasPassed) {
  One one({}, endless);
  one.schedule.cluster.set_deadline("J1", one.schedule.cluster.wall() + ms(60'000));
  ASSERT_TRUE(one.until(LiveState::running));
  EXPECT_THAT(told(one.schedule.cluster, "Late"), IsEmpty());
  for (int i = 0; i < 120; ++i) {
    one.schedule.step(second);
    if (i % 50 == 49) one.schedule.end_program();
  }
  EXPECT_EQ(told(one.schedule.cluster, "Late").size(), 1U);
  EXPECT_TRUE(one.job().late);
}

TEST(DriverLog, AJobThatEndsInTimeIsNotLateHoweverLateItIsSeen) {
  One one({}, {.applications = 1, .detached = true, .length = second});
  one.schedule.cluster.set_deadline("J1", one.schedule.cluster.wall() + ms(600'000));
  ASSERT_TRUE(one.until([](const LiveJob& job) { return !job.applications.empty(); }));
  one.schedule.end_program();
  one.schedule.cluster.advance(ms(100'000));
  while (one.schedule.cluster.wall() < *one.job().deadline) one.schedule.cluster.advance(ms(60'000));
  ASSERT_TRUE(one.until(LiveState::done));
  EXPECT_THAT(told(one.schedule.cluster, "Late"), IsEmpty());
}

TEST(DriverLog, TellsThatAStepWasSlow) {
  One one({.slow_answer = 1}, endless);
  one.schedule.options.slow = ms(1);
  for (int i = 0; i < 10; ++i) one.schedule.step(second);
  EXPECT_GT(told(one.schedule.cluster, "Slow").size(), 5U);
}

TEST(DriverLog, TellsThatNobodyLookedForLong) {
  One one({}, endless);
  for (int i = 0; i < 3; ++i) one.schedule.step(second);
  EXPECT_THAT(told(one.schedule.cluster, "Slow"), IsEmpty());
  one.schedule.cluster.advance(ms(30'000));
  for (int i = 0; i < 3; ++i) one.schedule.step(second);
  EXPECT_THAT(told(one.schedule.cluster, "Slow"), ElementsAre(StartsWith("nobody looked at the jobs for ")));
}

// A job whose command was never started is not lost, however often that happens.
TEST(DriverLog, ACommandThatCannotBeStartedIsToldAndStartedLater) {
  One one;
  one.schedule.cluster.refuse_starts(8);
  ASSERT_TRUE(one.until([](const LiveJob& job) { return job.attempts > 8; }));
  EXPECT_EQ(told(one.schedule.cluster, "NotStarted").size(), 8U);
  EXPECT_THAT(told(one.schedule.cluster, "Again"), Contains("its command was not started").Times(8));
  EXPECT_EQ(told(one.schedule.cluster, "Away").size(), told(one.schedule.cluster, "Back").size());
  ASSERT_TRUE(one.until(LiveState::done));
  EXPECT_EQ(one.job().lost_attempts, 0);
}

TEST(DriverLog, OfAFullDiskTheOtherJobsAreFollowed) {
  Schedule schedule(1, batch_of_jobs(2), {{.applications = 1, .detached = false, .length = ms(20'000)}, {}},
                    {});
  const auto state = [&](std::size_t job) { return schedule.cluster.written().jobs[job].state; };
  while (state(0) != LiveState::accepted && state(0) != LiveState::running) {
    if (state(0) == LiveState::submitting) schedule.cluster.fill_folder(ms(600'000));
    schedule.step(ms(200));
  }
  while (state(1) != LiveState::submitting) schedule.step(ms(200));
  for (int i = 0; i < 120; ++i) schedule.step(second);
  EXPECT_EQ(state(0), LiveState::done);
  EXPECT_EQ(state(1), LiveState::submitting);
}

// It may be that the ResourceManager that answers has just been replaced; the next job need not wait for
// that.
TEST(DriverLog, ACommandWithoutAnApplicationHoldsNoOtherUp) {
  Schedule schedule(1, batch_of_jobs(2), {{.applications = 0}, {}}, {});
  ASSERT_EQ(schedule.run(Duration{}, ms(200)), "");
  const auto& jobs = schedule.cluster.written().jobs;
  EXPECT_EQ(jobs[0].state, LiveState::done);
  EXPECT_LT(*jobs[1].submitting_since, *jobs[0].ended_at);
}

}  // namespace
}  // namespace wavewright
