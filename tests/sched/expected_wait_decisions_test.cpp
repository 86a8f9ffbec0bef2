// Single decisions of the placer `expected-wait` on a scripted cluster.
#include "wavewright/sched/placers/expected_wait.h"

#include <gmock/gmock.h>

#include "tests/sched/fake_cluster.h"
#include "wavewright/sched/policies/fifo.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

constexpr JobIndex first = 0, second = 1;

// Three nodes with a slot each. The first job is `long` in the tests: its map takes 100 s.
FakeCluster cluster_of(std::vector<FakeJob> jobs, const ExpectedWaitOptions& options = {}) {
  return FakeCluster({.nodes = {{.map_slots = 1, .reduce_slots = 1}, {.map_slots = 1}, {.map_slots = 1}},
                      .jobs = std::move(jobs)},
                     {make_fifo(), make_expected_wait(options)});
}
FakeJob long_job(NodeIndex node) {
  return {.id = "long", .maps = 1, .map = ms(100'000), .blocks = {{node}}};
}

TEST(ExpectedWaitDecisions, AMapWithNoOtherNodeGoesBeforeOneThatHasOne) {
  FakeCluster cluster = cluster_of({{.id = "A", .maps = 2, .blocks = {{0, 1}, {0}}}});
  cluster.arrive("A");
  EXPECT_EQ(cluster.give(Kind::map, 0), "A");
  EXPECT_TRUE(cluster.map_is_pending(first, 0));
  EXPECT_FALSE(cluster.map_is_pending(first, 1));
  EXPECT_EQ(cluster.give(Kind::map, 1), "A");
}

TEST(ExpectedWaitDecisions, AMapWhoseOtherNodeIsBusyGoesBeforeOneWhoseIsIdle) {
  FakeCluster cluster = cluster_of({long_job(2), {.id = "A", .maps = 2, .blocks = {{0, 1}, {0, 2}}}});
  cluster.arrive("long");
  EXPECT_EQ(cluster.give(Kind::map, 2), "long");
  cluster.arrive("A");
  EXPECT_EQ(cluster.give(Kind::map, 0), "A");
  EXPECT_TRUE(cluster.map_is_pending(second, 0));
}

TEST(ExpectedWaitDecisions, EqualWaitsGoByNumber) {
  FakeCluster cluster = cluster_of({{.id = "A", .maps = 2, .blocks = {{0, 1}, {0, 1}}}});
  cluster.arrive("A");
  EXPECT_EQ(cluster.give(Kind::map, 0), "A");
  EXPECT_FALSE(cluster.map_is_pending(first, 0));
}

TEST(ExpectedWaitDecisions, ANodeThatABlockNamesTwiceCountsOnce) {
  for (const std::vector<NodeIndex>& of_second : {std::vector<NodeIndex>{1, 0}, {1, 0, 1}}) {
    FakeCluster cluster = cluster_of({{.id = "A", .maps = 2, .blocks = {{0, 2}, of_second}}});
    cluster.arrive("A");
    EXPECT_EQ(cluster.give(Kind::map, 0), "A");
    EXPECT_FALSE(cluster.map_is_pending(first, 0)) << "equal waits go by number";
  }
}

TEST(ExpectedWaitDecisions, MapsThatWaitForANodeMakeItsWaitLonger) {
  // Node 2 has three more maps waiting, node 1 none.
  FakeCluster cluster = cluster_of({{.id = "A", .maps = 5, .blocks = {{0, 1}, {0, 2}, {2}, {2}, {2}}}});
  cluster.arrive("A");
  EXPECT_EQ(cluster.give(Kind::map, 0), "A");
  EXPECT_FALSE(cluster.map_is_pending(first, 1));
}

// Each of nodes 1 and 2 shares a waiting map with another node: node 1 with an idle one, node 2 with a busy
// one. So more of it is left to node 2.
TEST(ExpectedWaitDecisions, AMapThatWaitsCountsMostWhereThereIsLessToDo) {
  const FakeNode node{.map_slots = 1};
  FakeCluster cluster(
      {.nodes = {node, node, node, node, node},
       .jobs = {long_job(4), {.id = "A", .maps = 4, .blocks = {{0, 1}, {0, 2}, {1, 3}, {2, 4}}}}},
      {make_fifo(), make_expected_wait({})});
  cluster.arrive("long");
  EXPECT_EQ(cluster.give(Kind::map, 4), "long");
  cluster.arrive("A");
  EXPECT_EQ(cluster.give(Kind::map, 0), "A");
  EXPECT_TRUE(cluster.map_is_pending(second, 0));
  EXPECT_FALSE(cluster.map_is_pending(second, 1));
}

// Nodes 0 and 1 have a map of A each, and node 3, which is busy, has another: A ends no sooner if node 0
// takes its map. B's map has no other node.
struct TwoJobs {
  using Blocks = std::vector<std::vector<NodeIndex>>;
  // Further maps of A have blocks of which nothing is known.
  explicit TwoJobs(const Blocks& of_a, const Blocks& of_b = {{0}}, TaskIndex more_of_a = 0)
      : cluster(
            {.nodes = {{.map_slots = 1}, {.map_slots = 1}, {.map_slots = 1}, {.map_slots = 1}},
             .jobs = {long_job(3),
                      {.id = "A", .maps = static_cast<TaskIndex>(of_a.size()) + more_of_a, .blocks = of_a},
                      {.id = "B", .maps = 1, .blocks = of_b}}},
            {make_fifo(), make_expected_wait({})}) {
    cluster.arrive("long");
    EXPECT_EQ(cluster.give(Kind::map, 3), "long");
    cluster.arrive("A");
    cluster.arrive("B");
  }
  FakeCluster cluster;
};

TEST(ExpectedWaitDecisions, ALaterJobGoesFirstIfTheFirstEndsNoLaterForIt) {
  TwoJobs jobs({{0, 1}, {3}});
  EXPECT_EQ(jobs.cluster.give(Kind::map, 0), "B");
  EXPECT_EQ(jobs.cluster.give(Kind::map, 1), "A");
}

TEST(ExpectedWaitDecisions, AJobsLastMapGoesBeforeALaterJob) {
  TwoJobs jobs({{0, 1}});
  EXPECT_EQ(jobs.cluster.give(Kind::map, 0), "A");
}

TEST(ExpectedWaitDecisions, AJobsMapThatWaitsLongestGoesBeforeALaterJob) {
  TwoJobs jobs({{0, 3}, {1, 2}});
  EXPECT_EQ(jobs.cluster.give(Kind::map, 0), "A");
  EXPECT_FALSE(jobs.cluster.map_is_pending(second, 0));
}

TEST(ExpectedWaitDecisions, ALaterJobWhoseMapWouldWaitNoLongerComesBehind) {
  TwoJobs jobs({{0, 1}, {3}}, {{0, 1}});
  EXPECT_EQ(jobs.cluster.give(Kind::map, 0), "A");
}

TEST(ExpectedWaitDecisions, AJobWhoseBlocksAreNotKnownIsNotPassedOver) {
  TwoJobs jobs({{3}}, {{0}}, 1);
  EXPECT_EQ(jobs.cluster.give(Kind::map, 0), "A");
}

TEST(ExpectedWaitDecisions, AMapWaitsForAnIdleNodeWithItsBlock) {
  FakeCluster cluster = cluster_of({{.id = "A", .maps = 1, .blocks = {{1}}}});
  cluster.arrive("A");
  EXPECT_EQ(cluster.give(Kind::map, 0), "");
  EXPECT_EQ(cluster.give(Kind::map, 1), "A");
}

TEST(ExpectedWaitDecisions, AMapRunsElsewhereWhenTheWaitCostsMoreThanTheDistance) {
  // The node is busy for 100 s. Elsewhere the map of 10 s takes 3 s longer; it must save twice that.
  FakeCluster cluster = cluster_of({long_job(1), {.id = "A", .maps = 1, .map = ms(10'000), .blocks = {{1}}}});
  cluster.arrive("long");
  EXPECT_EQ(cluster.give(Kind::map, 1), "long");
  cluster.arrive("A");
  cluster.advance(ms(94'001));  // its node is free in 5,999 ms
  EXPECT_EQ(cluster.give(Kind::map, 0), "");
  cluster.lose("long", Kind::map);
  EXPECT_EQ(cluster.give(Kind::map, 1), "long") << "again, for 100 s";
  EXPECT_EQ(cluster.give(Kind::map, 0), "A");
}

TEST(ExpectedWaitDecisions, TheMarginSaysHowMuchMore) {
  FakeCluster cluster = cluster_of({long_job(1), {.id = "A", .maps = 1, .map = ms(10'000), .blocks = {{1}}}},
                                   {.margin = 40, .non_local = 1.3});
  cluster.arrive("long");
  EXPECT_EQ(cluster.give(Kind::map, 1), "long");
  cluster.arrive("A");
  EXPECT_EQ(cluster.give(Kind::map, 0), "");
}

TEST(ExpectedWaitDecisions, OfMapsThatMayGoElsewhereTheOneThatWouldWaitLongestGoes) {
  FakeCluster cluster =
      cluster_of({long_job(1), {.id = "A", .maps = 3, .map = ms(1'000), .blocks = {{2}, {1}, {1, 2}}}});
  cluster.arrive("long");
  EXPECT_EQ(cluster.give(Kind::map, 1), "long");
  cluster.arrive("A");
  EXPECT_EQ(cluster.give(Kind::map, 0), "A");
  EXPECT_FALSE(cluster.map_is_pending(second, 1));
}

TEST(ExpectedWaitDecisions, AJobThatIsOverLeavesNoWait) {
  FakeCluster cluster = cluster_of({long_job(1), {.id = "A", .maps = 2, .blocks = {{0, 1}, {0, 2}}}});
  cluster.arrive("long");
  EXPECT_EQ(cluster.give(Kind::map, 1), "long");
  cluster.end("long", Kind::map);
  cluster.arrive("A");
  EXPECT_EQ(cluster.give(Kind::map, 0), "A");
  EXPECT_FALSE(cluster.map_is_pending(second, 0)) << "both nodes are idle: the lowest number";
}

TEST(ExpectedWaitDecisions, ReducesAreGivenInOrder) {
  FakeCluster cluster = cluster_of({{.id = "A", .maps = 0, .reduces = 1}});
  cluster.arrive("A");
  EXPECT_EQ(cluster.give(Kind::reduce, 0), "A");
}

}  // namespace
}  // namespace wavewright
