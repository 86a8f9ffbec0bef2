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

// ---- containers: jobs are offered one by one

// The masters stand on node 2; B has a reduce.
class MatchmakingOnContainers : public testing::Test {
 protected:
  void arrive(const std::string& id) {
    cluster_.arrive(id);
    cluster_.start(id, Kind::master, 2);
  }
  std::string at_heartbeat(NodeIndex node) { return wavewright::at_heartbeat(cluster_, node); }

  FakeCluster cluster_{{.nodes = {{.map_slots = 5}, {.map_slots = 9}, {.map_slots = 3}},
                        .jobs = {{.id = "A", .maps = 5, .blocks = {{1}, {1}, {1}, {1}, {1}}},
                                 {.id = "B", .maps = 1, .reduces = 1, .blocks = {{0}}},
                                 {.id = "C", .maps = 1, .blocks = {{1}}}},
                        .container = 1024},
                       {make_fifo(), make_matchmaking({.containers = true})}};
};

TEST_F(MatchmakingOnContainers, ANearMapGoesFirstWhicheverJobItIsOf) {
  arrive("A");
  arrive("B");
  EXPECT_EQ(at_heartbeat(0), "B");
  EXPECT_EQ(at_heartbeat(1), "AAAAA");
}

TEST_F(MatchmakingOnContainers, TheSecondRoundInVainGivesOneMapFromElsewhere) {
  arrive("A");
  EXPECT_EQ(at_heartbeat(0), "");
  EXPECT_EQ(at_heartbeat(0), "A") << "four places stay free";
  EXPECT_EQ(at_heartbeat(0), "A");
  arrive("C");
  EXPECT_EQ(at_heartbeat(0), "") << "an arrival clears the markers";
  EXPECT_EQ(at_heartbeat(0), "A");
}

TEST_F(MatchmakingOnContainers, AReduceOfALaterJobIsNoSearchInVain) {
  arrive("A");
  EXPECT_EQ(at_heartbeat(1), "AAAAA");
  arrive("B");
  EXPECT_EQ(at_heartbeat(0), "B");
  cluster_.end("B", Kind::map);
  cluster_.lose("A", Kind::map);
  EXPECT_EQ(cluster_.give(Kind::map, 0), "B") << "its reduce; A's map passed before";
  EXPECT_EQ(at_heartbeat(0), "") << "the first search in vain";
  EXPECT_EQ(at_heartbeat(0), "A");
}

TEST(MatchmakingDecisions, AsPrintedASecondRoundNeverComes) {
  const auto placer = make_matchmaking({.printed = true, .containers = true});
  for (int beat = 1; beat < 9; ++beat)
    EXPECT_FALSE(placer->again({.node = 0, .kind = Kind::map, .at = at_ms(3000 * beat)}));
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

TEST(MatchmakingDecisions, NeedHeartbeats) {
  EXPECT_EQ(complaint("fair+matchmaking", {.heartbeats = false}),
            "placer 'matchmaking' counts heartbeats, which this cluster has not; give its file [mode] "
            "heartbeat_ms, like 3000");
  EXPECT_EQ(complaint("fair+one-non-local", {.heartbeats = false}),
            "placer 'one-non-local' counts heartbeats, which this cluster has not; give its file [mode] "
            "heartbeat_ms, like 3000");
  EXPECT_THAT(complaint("fair+delay(3s, skip=1s)", {.heartbeats = false}),
              testing::HasSubstr("'delay(skip=…)' counts heartbeats"));
  EXPECT_EQ(complaint("fair+matchmaking", {.containers = true, .heartbeats = false}),
            complaint("fair+matchmaking", {.heartbeats = false}));
  EXPECT_EQ(complaint("fair+matchmaking(reading=mine)", {}),
            "policy 'matchmaking': unknown reading 'mine'; one of: corrected printed");
}

}  // namespace
}  // namespace wavewright
