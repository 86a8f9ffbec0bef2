// The history does not tell of one job: it cannot load the job's application, or gives no answer at all. The
// job waits and is asked for ever more rarely; the others go on. Of no answer at all the log tells once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/live/scripted_cluster.h"

namespace wavewright {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// J1 has ended, the cluster has dropped it from its list, and the history cannot load it. J2 runs, and J3
// waits for it.
struct OneUnread : ScriptedCluster {
  OneUnread() {
    run_two_of_three();
    listed.erase(listed.begin());
    unread.insert("application_1_1");
  }
  void end_second() {
    listed.at(0).state = ApplicationState::succeeded;
    clients["tag-J2"] = {ClientState::ended, 0, {}};
  }
  // The history has it now.
  void record_first() {
    unread.clear();
    history_away = false;
    history["application_1_1"] = {
        .id = "application_1_1", .state = ApplicationState::succeeded, .tags = {"tag-J1"}};
  }
  Duration until_first_ends() {
    return until([this] { return has_ended(job("J1").state); });
  }
};

TEST(HistoryUnread, TheOtherJobsGoOn) {
  OneUnread world;
  world.steps(100);
  EXPECT_EQ(world.job("J1").state, LiveState::running);
  EXPECT_THAT(world.started, ElementsAre("J1", "J2"));
  world.end_second();
  EXPECT_LE(world.until([&] { return world.started.size() == 3; }), ms(5'000));
  EXPECT_EQ(world.job("J2").state, LiveState::done);
  EXPECT_EQ(world.job("J1").state, LiveState::running);
  EXPECT_EQ(world.told("", "Away"), 0);
}

TEST(HistoryUnread, ItIsAskedAgainAtIntervalsThatGrowToAMinute) {
  OneUnread world;
  world.steps(600);
  const std::vector<Duration>& asked = world.questions["application_1_1"];
  ASSERT_GE(asked.size(), 10U);
  EXPECT_LE(asked.size(), 20U);
  EXPECT_LE(asked[1] - asked[0], ms(5'000));
  for (std::size_t i = 2; i < asked.size(); ++i)
    EXPECT_GE(asked[i] - asked[i - 1], asked[i - 1] - asked[i - 2]) << i;
  EXPECT_EQ(asked.back() - asked[asked.size() - 2], ms(60'000));
}

TEST(HistoryUnread, TheLogTellsOnceThatTheAnswerIsMissingAndOnceThatItCame) {
  OneUnread world;
  world.steps(300);
  EXPECT_EQ(world.told("J1", "Unanswered"), 1);
  EXPECT_EQ(world.told("J1", "Answered"), 0);
  world.record_first();
  EXPECT_LE(world.until_first_ends(), ms(61'000));
  EXPECT_EQ(world.job("J1").state, LiveState::done);
  EXPECT_EQ(world.told("J1", "Unanswered"), 1);
  EXPECT_EQ(world.told("J1", "Answered"), 1);
  for (const LiveEvent& each : world.log) {
    if (each.what == "Unanswered") {
      EXPECT_EQ(each.detail, "history: answers 500");
    }
  }
}

TEST(HistoryUnread, TheNextProgramDoesNotTellItAgain) {
  OneUnread world;
  world.steps(100);
  world.begin();
  world.steps(100);
  EXPECT_EQ(world.told("J1", "Unanswered"), 1);
  world.record_first();
  EXPECT_LE(world.until_first_ends(), ms(61'000));
  EXPECT_EQ(world.told("J1", "Answered"), 1);
}

TEST(HistoryUnread, AfterAQuarterOfAnHourTheJobIsUnknown) {
  OneUnread world;
  const Duration took = world.until_first_ends();
  EXPECT_GE(took, ms(900'000));
  EXPECT_LE(took, ms(961'000));
  EXPECT_EQ(world.job("J1").state, LiveState::unknown);
  EXPECT_THAT(world.job("J1").reason, HasSubstr("how application_1_1 ended: history: answers 500"));
  EXPECT_EQ(world.told("J1", "Unanswered"), 1);
  EXPECT_EQ(world.told("J1", "Answered"), 0);
  EXPECT_THAT(world.started, ElementsAre("J1", "J2"));
}

// A server that gives no answer may have all of them: nothing is decided, however long that takes.
TEST(HistoryUnread, AHistoryThatIsAwayDecidesNothingAndHoldsNobodyUp) {
  OneUnread world;
  world.history_away = true;
  world.steps(10);
  world.end_second();
  world.steps(3'000);
  EXPECT_EQ(world.job("J1").state, LiveState::running);
  EXPECT_THAT(world.started, ElementsAre("J1", "J2", "J3"));
  EXPECT_EQ(world.told("", "HistoryAway"), 1);
  world.record_first();
  EXPECT_LE(world.until_first_ends(), ms(61'000));
  EXPECT_EQ(world.job("J1").state, LiveState::done);
  EXPECT_EQ(world.told("", "HistoryBack"), 1);
}

// Each question to a server that hangs takes time: in one step it is asked one, whoever else waits for it.
TEST(HistoryUnread, AHistoryThatIsAwayIsAskedOnceInAStep) {
  OneUnread world;
  world.history_away = true;
  world.listed.clear();
  world.step();
  EXPECT_EQ(world.questions["application_1_1"].size() + world.questions["application_1_2"].size(), 1U);
  world.step();
  EXPECT_EQ(world.questions["application_1_2"].size(), 1U);
  world.steps(100);
  EXPECT_EQ(world.told("", "HistoryAway"), 1) << "once, not of each job";
  EXPECT_EQ(world.told("J1", "Unanswered") + world.told("J2", "Unanswered"), 0);
}

TEST(HistoryUnread, WhileTheResourceManagerIsAwayNothingIsDecided) {
  OneUnread world;
  world.steps(10);
  world.away = true;
  world.end_second();
  const std::size_t asked = world.questions["application_1_1"].size();
  world.steps(2'000);
  EXPECT_EQ(world.job("J1").state, LiveState::running);
  EXPECT_EQ(world.job("J2").state, LiveState::running);
  EXPECT_THAT(world.started, ElementsAre("J1", "J2"));
  EXPECT_EQ(world.questions["application_1_1"].size(), asked);
  EXPECT_EQ(world.told("", "Away"), 1);
}

}  // namespace
}  // namespace wavewright
