// A search for a world of slots in which an accepted job is late.
#include "tests/realtime/promise_search.h"

#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "wavewright/job/workload_file.h"

namespace wavewright {
namespace {

using namespace realtime_worlds;  // NOLINT(google-build-using-namespace)

// Without heartbeats; with them, at which a node fills all its slots; or up to three slots, one or two of
// which are filled a heartbeat. Then many tasks are over before their node's other slots had their turn.
World slots_world(Random& random, std::int64_t heartbeat, bool in_turns) {
  World world;
  std::string mode = fmt::format("launch_ms = {}\n", random.below(3) == 0 ? random.integer(1, 8) : 0);
  if (heartbeat > 0)
    mode += fmt::format("heartbeat_ms = {0}\nmaps_per_heartbeat = {1}\nreduces_per_heartbeat = {1}\n",
                        heartbeat, in_turns ? random.integer(1, 2) : 0);
  world.cluster = nodes(static_cast<int>(random.integer(1, 3)), static_cast<int>(random.integer(1, 3)),
                        static_cast<int>(random.integer(1, in_turns ? 3 : 2)), mode);
  std::int64_t at = 0;
  const std::int64_t pace = random.integer(1, 30), room = random.integer(30, 250);
  for (std::int64_t i = random.integer(3, 12); i > 0; --i) {
    at += random.integer(0, pace);
    const auto lengths = [&](std::int64_t count) {
      std::vector<Duration> all;
      for (; count > 0; --count) all.push_back(ms(random.integer(1, 30)));
      return all;
    };
    const std::vector<Duration> maps = lengths(random.integer(0, 6)), reduces = lengths(random.integer(0, 4));
    world.workload.jobs.push_back(
        a_job(fmt::format("J{}", i), at, at + random.integer(20, room), maps, reduces));
  }
  return world;
}

TEST(PromiseSearch, FindsNoWorldOfSlotsWithABrokenPromise) {
  const std::vector<std::string> promising{"rtmr",
                                           "rtmr(feedback=none)",
                                           "rtmr(feedback=tasks)",
                                           "rtmr(feedback=tasks, order=deadline)",
                                           "rtmr(feedback=tasks, order=any)",
                                           "rtmr(slots=fewest)"};
  int tight = 0;
  for (int seed = 0; seed < sized(120); ++seed) {
    Random random(1, "search", static_cast<std::uint64_t>(seed));
    const bool in_turns = seed % 3 == 2;
    const std::int64_t heartbeat = seed % 3 == 0 ? 0 : random.integer(2, 15);
    const std::string& drawn = promising[random.below(promising.size())];
    const std::string policy =
        in_turns && drawn == "rtmr(slots=fewest)" ? "rtmr" : drawn;  // it is refused there
    const Nearest nearest = climb(slots_world(random, heartbeat, in_turns), policy, random);
    std::ostringstream jobs;
    write_workload(jobs, nearest.world.workload);
    ASSERT_GE(nearest.slack, 0) << policy << "\n" << to_toml(nearest.world.cluster) << jobs.str();
    tight += nearest.slack <= 10 ? 1 : 0;
  }
  EXPECT_GT(tight, rare(24)) << "it comes near";
}

// Promises by mean lengths are none: the same search breaks them.
TEST(PromiseSearch, FindsOneWhereTasksMayTakeLongerThanPromised) {
  int broken = 0;
  for (int seed = 0; seed < 20; ++seed) {
    Random random(1, "search by means", static_cast<std::uint64_t>(seed));
    World world = slots_world(random, 0, false);
    broken += climb(std::move(world), "rtmr(estimate=mean)", random).slack < 0 ? 1 : 0;
  }
  EXPECT_GT(broken, 5);
}

}  // namespace
}  // namespace wavewright
