// Single decisions of matchmaking on a scripted cluster.
#include <gmock/gmock.h>

#include "tests/sched/fake_cluster.h"
#include "wavewright/core/error.h"
#include "wavewright/sched/placers/matchmaking.h"
#include "wavewright/sched/policies/fifo.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

constexpr Duration heartbeat = ms(3000);

// A's blocks lie on node 1, B's on node 0, C's on node 1.
FakeCluster three_jobs(const MatchmakingOptions& options = {}) {
  return FakeCluster({.nodes = {{.map_slots = 4, .reduce_slots = 1}, {.map_slots = 9, .reduce_slots = 1}},
                      .jobs = {{.id = "A", .maps = 5, .blocks = {{1}, {1}, {1}, {1}, {1}}},
                               {.id = "B", .maps = 1, .reduces = 1, .blocks = {{0}}},
                               {.id = "C", .maps = 1, .blocks = {{1}}}}},
                     {make_fifo(), make_matchmaking(options)});
}

// What the node takes at one heartbeat, and then the time until the next one passes.
std::string at_heartbeat(FakeCluster& cluster, NodeIndex node) {
  std::string taken;
  for (std::string id = cluster.give(Kind::map, node); !id.empty(); id = cluster.give(Kind::map, node))
    taken += id;
  cluster.advance(heartbeat);
  return taken;
}

TEST(MatchmakingDecisions, ANearMapGoesFirstWhicheverJobItIsOf) {
  FakeCluster cluster = three_jobs();
  cluster.arrive("A");
  cluster.arrive("B");
  EXPECT_EQ(at_heartbeat(cluster, 0), "B");
  EXPECT_EQ(at_heartbeat(cluster, 1), "AAAAA");
}

TEST(MatchmakingDecisions, TheSecondSearchInVainGivesOneMapFromElsewhere) {
  FakeCluster cluster = three_jobs();
  cluster.arrive("A");
  EXPECT_EQ(at_heartbeat(cluster, 0), "") << "the first";
  EXPECT_EQ(at_heartbeat(cluster, 0), "A") << "the second; three slots stay free";
  EXPECT_EQ(at_heartbeat(cluster, 0), "A") << "the marker is 0 still";
}

TEST(MatchmakingDecisions, ANearMapMakesTheMarkerPositive) {
  FakeCluster cluster = three_jobs();
  cluster.arrive("A");
  cluster.arrive("B");
  EXPECT_EQ(at_heartbeat(cluster, 0), "B") << "and then the first search in vain";
  EXPECT_EQ(at_heartbeat(cluster, 0), "A") << "the second";
  cluster.lose("B", Kind::map);
  EXPECT_EQ(at_heartbeat(cluster, 0), "B") << "then the first again: the near map came between";
  EXPECT_EQ(at_heartbeat(cluster, 0), "A");
}

TEST(MatchmakingDecisions, AnArrivalClearsAllMarkers) {
  FakeCluster cluster = three_jobs();
  cluster.arrive("A");
  EXPECT_EQ(at_heartbeat(cluster, 0), "");
  cluster.arrive("C");
  EXPECT_EQ(at_heartbeat(cluster, 0), "") << "a cleared marker is not 0";
  EXPECT_EQ(at_heartbeat(cluster, 0), "A");
}

TEST(MatchmakingDecisions, TheFirstJobIsTheFirstWithAMapLeft) {
  FakeCluster cluster = three_jobs();
  cluster.arrive("B");
  EXPECT_EQ(at_heartbeat(cluster, 0), "B");
  cluster.arrive("C");
  cluster.arrive("A");
  EXPECT_EQ(at_heartbeat(cluster, 0), "");
  EXPECT_EQ(at_heartbeat(cluster, 0), "C") << "B is first, and has a reduce only";
}

TEST(MatchmakingDecisions, ReducesAreGivenInOrderAndLeaveTheMarkers) {
  FakeCluster cluster = three_jobs();
  cluster.arrive("B");
  EXPECT_EQ(cluster.give(Kind::map, 0), "B");
  cluster.end("B", Kind::map);
  cluster.arrive("A");
  EXPECT_EQ(at_heartbeat(cluster, 0), "");
  EXPECT_EQ(cluster.give(Kind::reduce, 0), "B");
  EXPECT_EQ(at_heartbeat(cluster, 0), "A");
}

TEST(MatchmakingDecisions, AsPrintedNoNodeTakesAMapFromElsewhere) {
  FakeCluster cluster = three_jobs({.printed = true});
  cluster.arrive("A");
  for (int beat = 0; beat < 9; ++beat) EXPECT_EQ(at_heartbeat(cluster, 0), "");
  EXPECT_EQ(at_heartbeat(cluster, 1), "AAAAA");
}

// ---- its name

std::string complaint(const std::string& policy, const PolicyContext& context) {
  try {
    return make_policy(policy, context).name();
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(MatchmakingDecisions, GoWithEveryAllocator) {
  for (const std::string allocator : {"fifo", "fair", "capacity"})
    EXPECT_EQ(complaint(allocator + "+matchmaking(reading=printed)", {}), allocator + "+matchmaking");
}

TEST(MatchmakingDecisions, NeedHeartbeatsAndAViewOfAllJobs) {
  EXPECT_EQ(complaint("fair+matchmaking", {.heartbeats = false}),
            "placer 'matchmaking' counts heartbeats, which this cluster has not; give its file [mode] "
            "heartbeat_ms, like 3000");
  EXPECT_EQ(complaint("fair+one-non-local", {.heartbeats = false}),
            "placer 'one-non-local' counts heartbeats, which this cluster has not; give its file [mode] "
            "heartbeat_ms, like 3000");
  EXPECT_THAT(complaint("fair+delay(3s, skip=1s)", {.heartbeats = false}),
              testing::HasSubstr("'delay(skip=…)' counts heartbeats"));
  EXPECT_EQ(
      complaint("fair+matchmaking", {.containers = true}),
      "placer 'matchmaking' looks at all jobs, but with containers a node is offered job by job; choose "
      "+delay or +one-non-local, or a cluster of slots");
  EXPECT_EQ(complaint("fair+matchmaking(reading=mine)", {}),
            "policy 'matchmaking': unknown reading 'mine'; one of: corrected printed");
}

}  // namespace
}  // namespace wavewright
