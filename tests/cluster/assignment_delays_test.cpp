#include "wavewright/cluster/assignment_delays.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "wavewright/cluster/cluster_file.h"

namespace wavewright {
namespace {

AssignmentDelays delays_of(const std::string& mode, const std::string& more = "") {
  const std::string text = "[mode]\n" + mode + "[[nodes]]\nmap_slots = 4\nreduce_slots = 2\n" + more;
  return assignment_delays(parse_cluster(text, "cluster.toml"));
}

TEST(AssignmentDelays, AreNoneWhereSlotsAreGivenAtOnce) {
  const AssignmentDelays delays = delays_of("kind = \"slots\"\n");
  EXPECT_EQ(delays.first, Duration{});
  EXPECT_EQ(delays.map, Duration{});
  EXPECT_EQ(delays.reduce, Duration{});
  EXPECT_EQ(delays.launch, Duration{});
  EXPECT_EQ(delays.setup, Duration{});
  EXPECT_EQ(delays.commit, Duration{});
}

// Four map slots and two reduce slots: all at one heartbeat, or so many heartbeats until each had its turn. A
// reduce counts one more.
TEST(AssignmentDelays, AreAHeartbeatForEachTurnOfANodesSlots) {
  struct Case {
    int a_heartbeat, maps, reduces;
  };
  for (const Case& each : {Case{0, 1, 1}, {1, 4, 2}, {2, 2, 1}, {3, 2, 1}, {4, 1, 1}, {9, 1, 1}}) {
    const AssignmentDelays delays = delays_of(fmt::format(
        "heartbeat_ms = 3000\nmaps_per_heartbeat = {0}\nreduces_per_heartbeat = {0}\n", each.a_heartbeat));
    EXPECT_EQ(delays.first, ms(3'000)) << each.a_heartbeat;
    EXPECT_EQ(delays.map, each.maps * ms(3'000)) << each.a_heartbeat;
    EXPECT_EQ(delays.reduce, (each.reduces + 1) * ms(3'000)) << each.a_heartbeat;
    EXPECT_EQ(delays.ready, Duration{}) << "jobs without masters ask for nothing";
  }
}

TEST(AssignmentDelays, AreThoseOfTheNodesForWhichTheyAreLongest) {
  const std::string mode = "heartbeat_ms = 10\nmaps_per_heartbeat = 2\nreduces_per_heartbeat = 1\n";
  const AssignmentDelays delays = delays_of(mode, "[[nodes]]\nmap_slots = 0\nreduce_slots = 3\n");
  EXPECT_EQ(delays.map, ms(20)) << "four slots, two a heartbeat";
  EXPECT_EQ(delays.reduce, ms(40)) << "three slots, one a heartbeat, and one more";
}

TEST(AssignmentDelays, HaveLaunchesSetupAndCommitAsTheyAre) {
  const AssignmentDelays delays = delays_of("launch_ms = 7\n", "[masters]\nstart_ms = 11\nfinish_ms = 13\n");
  EXPECT_EQ(delays.launch, ms(7));
  EXPECT_EQ(delays.setup, ms(11));
  EXPECT_EQ(delays.commit, ms(13));
}

}  // namespace
}  // namespace wavewright
