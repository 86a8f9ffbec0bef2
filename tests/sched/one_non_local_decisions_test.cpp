// Single decisions of Hadoop's rule of locality on a scripted cluster.
#include <gtest/gtest.h>

#include "tests/sched/fake_cluster.h"
#include "wavewright/sched/placers/one_non_local.h"
#include "wavewright/sched/policies/fifo.h"

namespace wavewright {
namespace {

// A's last block lies on node 0, its others on node 1; B's all on node 0.
FakeCluster two_jobs() {
  return FakeCluster({.nodes = {{.map_slots = 9, .reduce_slots = 2}, {.map_slots = 9, .reduce_slots = 1}},
                      .jobs = {{.id = "A", .maps = 4, .reduces = 2, .blocks = {{1}, {1}, {1}, {0}}},
                               {.id = "B", .maps = 2, .blocks = {{0}, {0}}}}},
                     {make_fifo(), make_one_non_local({})});
}

TEST(OneNonLocalDecisions, ANodeTakesAllNearMapsAndOneOther) {
  FakeCluster cluster = two_jobs();
  cluster.arrive("A");
  cluster.arrive("B");
  EXPECT_EQ(cluster.give(Kind::map, 0), "A") << "its last, near";
  EXPECT_EQ(cluster.give(Kind::map, 0), "A") << "from elsewhere: B is behind it, near or not";
  EXPECT_EQ(cluster.give(Kind::map, 0), "") << "no more at this heartbeat";
  EXPECT_EQ(cluster.give(Kind::map, 1), "A") << "another node's heartbeat";
  cluster.advance(ms(3000));
  EXPECT_EQ(cluster.give(Kind::map, 0), "A") << "from elsewhere";
  EXPECT_EQ(cluster.give(Kind::map, 0), "");
  cluster.advance(ms(3000));
  EXPECT_EQ(cluster.give(Kind::map, 0), "B") << "A has no map left";
  EXPECT_EQ(cluster.give(Kind::map, 0), "B");
}

TEST(OneNonLocalDecisions, ReducesAreNotCounted) {
  FakeCluster cluster = two_jobs();
  cluster.arrive("A");
  EXPECT_EQ(cluster.fill(Kind::map), "A A A A") << "each node in turn: near, near, elsewhere, near";
  while (cluster.running() > 0) cluster.end("A", Kind::map);
  EXPECT_EQ(cluster.give(Kind::reduce, 0), "A");
  EXPECT_EQ(cluster.give(Kind::reduce, 0), "A");
}

}  // namespace
}  // namespace wavewright
