// Blocks and shuffles that share the network of a simulated cluster, rule by rule.
#include "tests/sim/small_clusters.h"
#include "tests/sim/small_jobs.h"

namespace wavewright {
namespace {

class NetworkModel : public OnEachEngine {};

// 8 bytes a ms each way (0.064 Mbit/s); both maps' blocks of 80 bytes lie on node1, which sends at half its
// speed to each of two readers: a map of 5 ms on node2 ends at 20, that on node1 reads its own disk.
TEST_P(NetworkModel, ReadersOfOneNodeShareItsCard) {
  Cluster cluster = slot_nodes(3, {1, 0});
  cluster.reads.kind = Reads::Kind::network;
  cluster.network.card_mbps = 0.064;
  Job job = job_of("A", {5, 5, 5}, {});
  job.input = Bytes{240};
  job.splits.assign(3, std::vector<std::string>(1, "node1"));
  const auto result = run({{job}}, cluster);
  EXPECT_EQ(result.trace[0].end, at_ms(5));
  EXPECT_EQ(result.trace[1].end, at_ms(20));
  EXPECT_EQ(result.trace[2].end, at_ms(20));
  EXPECT_EQ(result.jobs[0].finish, at_ms(20));
  EXPECT_EQ(result.map_busy, ms(5 + 20 + 20));
}

// It fails within its 5 ms of work, which its node tells at 100; that its block arrives at 10 changes
// nothing.
TEST_P(NetworkModel, AMapThatHasFailedWaitsForNoBlock) {
  Cluster cluster = slot_nodes(1, {0, 0});
  cluster.nodes.push_back(cluster.nodes[0]);
  cluster.nodes[1].slots = {1, 0};
  cluster.mode.heartbeat = ms(200);  // node2 at 100, 300 …
  cluster.reads.kind = Reads::Kind::network;
  cluster.network.card_mbps = 0.064;
  cluster.faults.task_failure = 1;
  cluster.faults.max_attempts = 1;
  Job job = job_of("A", {5}, {});
  job.input = Bytes{80};
  job.splits.assign(1, std::vector<std::string>(1, "node1"));
  const auto result = run({{job}}, cluster);
  ASSERT_EQ(result.trace.size(), 1U);
  EXPECT_EQ(result.trace[0].outcome, AttemptOutcome::failed);
  EXPECT_LE(result.trace[0].end, at_ms(100 + 5));
  EXPECT_EQ(result.map_busy, result.trace[0].end - result.trace[0].start);
  EXPECT_EQ(result.jobs[0].finish, at_ms(300));
}

// The uplinks carry 4 bytes a ms, the cards 8: the reader in the other rack is the slower one.
TEST_P(NetworkModel, ReadersInAnotherRackShareTheUplink) {
  Cluster cluster = slot_nodes(1, {0, 0});
  cluster.nodes[0].rack = "/a";
  cluster.nodes.push_back(cluster.nodes[0]);
  cluster.nodes[1].rack = "/b";
  cluster.nodes[1].slots = {1, 0};
  cluster.reads.kind = Reads::Kind::network;
  cluster.network.card_mbps = 0.064;
  cluster.network.uplink_mbps = 0.032;
  Job job = job_of("A", {5}, {});
  job.input = Bytes{80};
  job.splits.assign(1, std::vector<std::string>(1, "node1"));
  EXPECT_EQ(run({{job}}, cluster).jobs[0].finish, at_ms(20));
}

// Two nodes, one of them with slots and a card of 4 bytes a ms: half of what its reduce fetches crosses it.
Cluster with_an_idle_node(SlotPool slots) {
  Cluster cluster = slot_nodes(1, slots);
  cluster.nodes.push_back(cluster.nodes[0]);
  cluster.nodes[1].slots = {0, 0};
  cluster.network = {.card_mbps = 0.032, .shuffle = true};
  return cluster;
}

// Two maps of 10 ms one after the other, a reduce from the start: half of its 80 bytes is there at 10 and
// arrives at 8 a ms by 15, the other half is there at 20 and arrives by 25; then it works for 3.
TEST_P(NetworkModel, AReduceFetchesWhatItsMapsHaveWrittenOverTheNetwork) {
  Cluster cluster = with_an_idle_node({1, 1});
  cluster.mode.slowstart = 0;
  cluster.network.rounds = 2;
  Job job = job_of("A", {10, 10}, {3});
  job.shuffled = Bytes{80};
  EXPECT_EQ(run({{job}}, cluster).jobs[0].finish, at_ms(28));
  cluster.network.rounds = 1;  // all of it after the last map
  EXPECT_EQ(run({{job}}, cluster).jobs[0].finish, at_ms(33));
  cluster.network.overhead = ms(4);
  EXPECT_EQ(run({{job}}, cluster).jobs[0].finish, at_ms(37)) << "it merges";
  job.shuffled.reset();  // nobody knows how much: its shuffles are durations, of which it has none
  EXPECT_EQ(run({{job}}, cluster).jobs[0].finish, at_ms(23));
}

// Of two nodes in two racks half of what the reduce fetches comes from outside: over an uplink of 2 bytes a
// ms all of it arrives at 4. The half crosses the card, too, which carries more.
TEST_P(NetworkModel, AnUplinkCarriesWhatAReduceFetchesFromOutside) {
  Cluster cluster = slot_nodes(1, {1, 0});
  cluster.nodes[0].rack = "/a";
  cluster.nodes.push_back(cluster.nodes[0]);
  cluster.nodes[1].rack = "/b";
  cluster.nodes[1].slots = {0, 1};
  cluster.network = {.card_mbps = 0.064, .uplink_mbps = 0.016, .shuffle = true};
  Job job = job_of("A", {10}, {3});
  job.shuffled = Bytes{80};
  EXPECT_EQ(run({{job}}, cluster).jobs[0].finish, at_ms(10 + 20 + 3));
}

// The block lies on node1 of the other rack and on node3 of the reader's own: it comes from there, over cards
// alone.
TEST_P(NetworkModel, ABlockComesFromTheReadersRackWhereItCan) {
  Cluster cluster = slot_nodes(1, {0, 0});
  cluster.nodes[0].rack = "/a";
  cluster.nodes.push_back(cluster.nodes[0]);
  cluster.nodes[1].rack = "/b";
  cluster.nodes[1].slots = {1, 0};
  cluster.nodes.push_back(cluster.nodes[1]);
  cluster.nodes[2].slots = {};
  cluster.reads.kind = Reads::Kind::network;
  cluster.network = {.card_mbps = 0.064, .uplink_mbps = 0.008};
  Job job = job_of("A", {5}, {});
  job.input = Bytes{80};
  job.splits.emplace_back().push_back("node1");
  job.splits.back().push_back("node3");
  EXPECT_EQ(run({{job}}, cluster).jobs[0].finish, at_ms(10));
}

TEST_P(NetworkModel, TwoReducesOfOneNodeShareItsCard) {
  Job job = job_of("A", {10}, {0, 0});
  job.shuffled = Bytes{81};  // 41 and 40 bytes at 4 a ms: 10 ms, and the last byte has the card to itself
  EXPECT_EQ(run({{job}}, with_an_idle_node({1, 2})).jobs[0].finish, at_ms(21));
}

// There is one node, so every map output is on the node of the reduce.
TEST_P(NetworkModel, AShuffleFromANodeToItselfDoesNotCrossItsCard) {
  Cluster cluster = slot_nodes(1, {1, 1});
  cluster.mode.slowstart = 0;
  cluster.network = {.card_mbps = 0.064, .shuffle = true, .overhead = ms(2)};
  Job job = job_of("A", {10, 10}, {3});
  job.shuffled = Bytes{80'000};
  EXPECT_EQ(run({{job}}, cluster).jobs[0].finish, at_ms(20 + 2 + 3));
}

// Node1 of rack /a sends to two nodes of its rack and to one of rack /b, over an uplink of 4 bytes a ms. The
// transfer to the other rack gets 4 of its card's 18; the other two share the 14 that it leaves: 84 bytes
// take 12 ms there, and the last 36 of those to the other rack have the uplink to themselves.
TEST_P(NetworkModel, WhatAnUplinkHoldsBackIsLeftToReadersInTheRack) {
  Cluster cluster = slot_nodes(1, {0, 0});
  cluster.nodes[0].rack = "/a";
  cluster.nodes.push_back(cluster.nodes[0]);
  cluster.nodes[1].count = 2;
  cluster.nodes[1].slots = {1, 0};
  cluster.nodes.push_back(cluster.nodes[1]);
  cluster.nodes[2].count = 1;
  cluster.nodes[2].rack = "/b";
  cluster.reads.kind = Reads::Kind::network;
  cluster.network = {.card_mbps = 0.144, .uplink_mbps = 0.032};
  Job job = job_of("A", {1, 1, 1}, {});
  job.input = Bytes{3 * 84};
  job.splits.assign(3, std::vector<std::string>(1, "node1"));
  const auto result = run({{job}}, cluster);
  EXPECT_EQ(result.trace[0].end, at_ms(12));
  EXPECT_EQ(result.trace[1].end, at_ms(12));
  EXPECT_EQ(result.trace[2].end, at_ms(21));
}

INSTANTIATE_TEST_SUITE_P(Engines, NetworkModel, cluster_engines(), name_of_engine);

}  // namespace
}  // namespace wavewright
