// Nodes that are reserved under YARN's Capacity scheduler, rule by rule, on both engines.
#include "wavewright/sim/model/reservation_rule.h"

#include "tests/sim/small_clusters.h"
#include "tests/sim/small_jobs.h"

namespace wavewright {
namespace {

class ReservationRule : public OnEachEngine {
 protected:
  // So many nodes of 4 GiB. A's master is on the first one. A map takes 1 GiB.
  static Cluster nodes(Count count) { return container_nodes(count, 4096); }
  static Cluster with_two_queues(Cluster cluster) {
    for (const char* queue : {"a", "b"}) {
      cluster.queues.push_back(
          {.name = queue, .capacity = 50, .user_limit_factor = 100, .maximum_masters = 100});
    }
    return cluster;
  }
  static Workload jobs(std::vector<int> maps_of_a, Count master_of_b) {
    Workload workload{
        {job_of("A", std::move(maps_of_a), {}), job_of("B", {10}, {}, 50), job_of("C", {10}, {}, 60)}};
    workload.jobs[1].memory.master = mib(master_of_b);
    return workload;
  }
  static TaskRecord master_of(const SimulationResult& result, JobIndex job) {
    return attempts_of(result, job, Kind::master).at(0);
  }
};

// B needs 2 GiB. From 102 on C would fit.
TEST_P(ReservationRule, AJobWithMoreThanIsFreeStopsItsQueue) {
  const auto result = run(jobs({100, 200, 3000}, 2048), nodes(1));
  EXPECT_EQ(master_of(result, 1).start, at_ms(202)) << "when two of A's maps are over";
  EXPECT_GE(master_of(result, 2).start, at_ms(202));
}

// At 112 each node has 1 GiB, and B reserves the first one. C would fit on the other.
TEST_P(ReservationRule, TheReservedCountsAsUsed) {
  const auto result = run(jobs({100, 200, 3000, 110, 3000, 3000, 3000}, 2048), nodes(2));
  EXPECT_EQ(master_of(result, 1).start, at_ms(202));
  EXPECT_EQ(master_of(result, 2).start, at_ms(202)) << "as nothing is reserved any more";
}

// B needs 3 GiB. It reserves the first node at 112, when 3 GiB are free. At 122 there is one more.
TEST_P(ReservationRule, WhatIsFreeBesideTheReservedGoesToJobsBehind) {
  Cluster cluster = nodes(2);
  cluster.nodes.push_back(container_nodes(1, 2048).nodes.front());
  const auto result = run(jobs({100, 3000, 3000, 110, 110, 3000, 3000, 120, 3000}, 3072), cluster);
  EXPECT_EQ(master_of(result, 1).node, 0U);
  EXPECT_EQ(master_of(result, 2).start, at_ms(122));
  EXPECT_EQ(master_of(result, 2).node, 1U);
}

// B's queue goes first, as it holds nothing. Its master needs 3 GiB, and from 102 on 1 GiB is free, from 112
// on 2 GiB. C's master of another queue would fit.
TEST_P(ReservationRule, WhatAFullQueueMayTakeIsKeptFromOthers) {
  Workload workload = jobs({100, 3000, 3000, 110, 200, 3000, 3000}, 3072);
  workload.jobs[0].queue = workload.jobs[2].queue = "b";
  workload.jobs[1].queue = "a";
  const auto result = run(workload, with_two_queues(nodes(2)), "capacity");
  EXPECT_GE(master_of(result, 2).start, at_ms(202));
  workload.jobs[1].memory.master = mib(1024);
  const auto smaller = run(workload, with_two_queues(nodes(2)), "capacity");
  EXPECT_LT(master_of(smaller, 2).start, at_ms(202));
}

// B's two maps need 2 GiB each. At 102 four nodes have 1 GiB, and B reserves two of them, which is all that
// is free. At 202 it starts on node3. So node2 is no longer reserved, and C fits beside what is.
TEST_P(ReservationRule, AStartElsewhereEndsTheOldestReservation) {
  Workload workload = jobs({3000, 3000, 3000, 100,  3000, 3000, 3000, 200,  200, 3000, 3000,
                            100,  3000, 3000, 3000, 100,  3000, 3000, 3000, 100, 3000, 3000},
                           1024);
  workload.jobs[1].maps.assign(2, ms(10));
  workload.jobs[1].memory.map = mib(2048);
  const auto result = run(workload, nodes(6));
  EXPECT_EQ(attempts_of(result, 1, Kind::map).at(0).node, 2U);
  EXPECT_EQ(attempts_of(result, 1, Kind::map).at(0).start, at_ms(202));
  EXPECT_EQ(master_of(result, 2).start, at_ms(202));
}

// A node reports every 100 ms, the second one 50 ms later. At 500 each has 1 GiB, and B reserves the first
// one. At 800 it has 3 GiB. B's map gets what the second one has.
TEST_P(ReservationRule, ANodeGivesNothingBesideWhatItWasReservedForAtAHeartbeat) {
  Cluster cluster = nodes(2);
  cluster.mode.heartbeat = ms(100);
  const auto result = run(jobs({3000, 3000, 3000, 200, 300, 600, 600}, 2048), cluster);
  EXPECT_EQ(master_of(result, 1).start, at_ms(800));
  EXPECT_EQ(master_of(result, 1).node, 0U);
  EXPECT_EQ(master_of(result, 2).start, at_ms(900));
}

// Each of four nodes has 512 MiB, which is too little for any container. B reserves the first one.
TEST_P(ReservationRule, ANodeMayBeReservedFromTheSmallestAllocationOn) {
  Cluster cluster = container_nodes(4, 4608);
  cluster.limits.min_memory = mib(512);
  std::vector<int> maps = {200, 200, 3000, 100};
  maps.resize(15, 3000);
  const auto result = run(jobs(maps, 2048), cluster);
  EXPECT_EQ(master_of(result, 1).start, at_ms(202));
  EXPECT_EQ(master_of(result, 1).node, 0U);
  EXPECT_EQ(master_of(result, 2).start, at_ms(102));
}

// B's map needs 2 GiB, and B reserves the first node, which has 1 GiB. At 500 the node of both jobs' masters
// is lost, and A's map with its master. The room on the first node is enough for one master.
TEST_P(ReservationRule, AJobThatLosesItsMasterLosesItsReservations) {
  Workload workload{{job_of("Z", {3000, 40}, {}), job_of("A", {3000}, {}, 10), job_of("B", {10}, {}, 50)}};
  workload.jobs[1].memory.master = workload.jobs[2].memory.master = mib(2048);
  workload.jobs[2].memory.map = mib(2048);
  Cluster cluster = nodes(2);
  cluster.nodes.push_back(container_nodes(1, 1024).nodes.front());
  cluster.outages.push_back({"node2", at_ms(500), {}});
  const auto result = run(workload, cluster);
  const auto masters_of_a = attempts_of(result, 1, Kind::master);
  ASSERT_EQ(masters_of_a.size(), 2U);
  EXPECT_EQ(masters_of_a.at(1).start, at_ms(500));
  EXPECT_EQ(masters_of_a.at(1).node, 0U);
  EXPECT_GT(attempts_of(result, 2, Kind::master).at(1).start, at_ms(500));
}

INSTANTIATE_TEST_SUITE_P(Engines, ReservationRule, cluster_engines(), name_of_engine);

TEST(FurtherReservations, AreMoreTheLongerNodesStayTooSmall) {
  EXPECT_EQ(sim::further_reservations(0, 1, 2048, 1024, 4096), 0);
  EXPECT_EQ(sim::further_reservations(10, 0, 2048, 1024, 4096), 0) << "nothing is reserved";
  EXPECT_EQ(sim::further_reservations(10, 1, 2048, 1024, 4096), 5);
  EXPECT_EQ(sim::further_reservations(10, 2, 2048, 1024, 4096), 2);
}

TEST(FurtherReservations, AreFewerForLargeContainersAndSomeForTheLargest) {
  EXPECT_EQ(sim::further_reservations(10, 1, 1024, 1024, 4096), 7);
  EXPECT_EQ(sim::further_reservations(10, 1, 4096, 1024, 4096), 2);
}

}  // namespace
}  // namespace wavewright
