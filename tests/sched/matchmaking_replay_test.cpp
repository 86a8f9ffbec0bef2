// The plug-in of YARN decides as the simulator's placer does: both go by the same file of decisions.
#include "tests/sched/replayed_world.h"
#include "wavewright/sched/placers/matchmaking.h"

namespace wavewright {
namespace {

std::string played(std::uint64_t number, bool containers) {
  return replay::World({.name = "matchmaking", .containers = containers}, number,
                       make_matchmaking({.containers = containers}))
      .play();
}

TEST(MatchmakingReplay, ThePluginsFileHasTheSimulatorsDecisions) {
  std::string worlds;
  for (std::uint64_t number = 0; number < 20; ++number) worlds += played(number, false);
  replay::expect_decisions("matchmaking", "MatchmakingReplayTest", worlds);
}

// An arrival counts from the first offer of a job's maps, which no decision shows.
TEST(MatchmakingReplay, JobByJobItDecidesAlike) {
  for (std::uint64_t number = 0; number < 500; ++number)
    ASSERT_EQ(played(number, true), played(number, false)) << "world " << number;
}

}  // namespace
}  // namespace wavewright
