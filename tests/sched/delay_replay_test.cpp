// The plug-in of YARN decides as the simulator's placer does: both go by the same file of decisions.
#include "tests/sched/replayed_world.h"
#include "wavewright/sched/placers/delay.h"

namespace wavewright {
namespace {

TEST(DelayReplay, ThePluginsFileHasTheSimulatorsDecisions) {
  std::string worlds;
  for (std::uint64_t number = 0; number < 20; ++number) {
    worlds += replay::World({.name = "delay", .containers = true, .waits = true}, number,
                            make_delay({.node = ms(2000), .rack = ms(1000)}))
                  .play();
  }
  replay::expect_decisions("delay", "DelayReplayTest", worlds);
}

}  // namespace
}  // namespace wavewright
