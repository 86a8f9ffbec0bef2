// The cluster answers an error to the kill of one job. The kill is tried again, ever more rarely, and the
// other jobs go on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

#include "tests/live/scripted_cluster.h"

namespace wavewright {
namespace {

using ::testing::ElementsAre;

// J1 runs and its user cancels it, in vain. J2 runs, and J3 waits for it.
struct OneUnkillable : ScriptedCluster {
  OneUnkillable() {
    run_two_of_three();
    unkillable.insert("application_1_1");
    wish("J1", Wish::cancel);
  }
  [[nodiscard]] std::ptrdiff_t kills() const {
    return std::count(killed.begin(), killed.end(), "application_1_1");
  }
};

TEST(FailingKill, TheOtherJobsGoOn) {
  OneUnkillable world;
  world.steps(10);
  EXPECT_EQ(world.job("J1").state, LiveState::running);
  world.listed.at(1).state = ApplicationState::succeeded;
  world.clients["tag-J2"] = {ClientState::ended, 0, {}};
  EXPECT_LE(world.until([&] { return world.started.size() == 3; }), ms(5'000));
  EXPECT_EQ(world.job("J2").state, LiveState::done);
  EXPECT_THAT(world.started, ElementsAre("J1", "J2", "J3"));
  EXPECT_EQ(world.job("J1").state, LiveState::running);
  EXPECT_EQ(world.told("", "Away"), 0);
}

TEST(FailingKill, ItIsTriedAgainAndTheLogTellsItOnce) {
  OneUnkillable world;
  world.steps(300);
  EXPECT_EQ(world.told("J1", "NotKilled"), 1);
  EXPECT_GE(world.kills(), 6);
  EXPECT_LE(world.kills(), 12) << "at intervals that grow to a minute";
  world.begin();  // the next program tells it no more
  world.steps(10);
  EXPECT_EQ(world.told("J1", "NotKilled"), 1);
  for (const LiveEvent& each : world.log) {
    if (each.what == "NotKilled") {
      EXPECT_EQ(each.detail, "cluster: answers 500; wait");
    }
  }
  world.unkillable.clear();
  const std::ptrdiff_t before = world.kills();
  EXPECT_LE(world.until([&] { return world.kills() > before; }), ms(60'000));
  world.listed.at(0).state = ApplicationState::killed;
  (void)world.until([&] { return has_ended(world.job("J1").state); });
  EXPECT_EQ(world.job("J1").state, LiveState::cancelled);
}

}  // namespace
}  // namespace wavewright
