// Rules of locality below the Capacity scheduler: it says whose turn it is, up to which limits, and the rule
// chooses the node.
#include "tests/sched/queued_jobs.h"

namespace wavewright {
namespace {

class CapacityPlacers : public OnEachEngine {};

// A job of the queue whose maps of 100 ms have their block on one node.
Job maps_on(const char* node, const char* id, const char* queue, std::size_t maps) {
  Job job = in_queue(queue, job_of(id, equal(maps, 100), {}));
  job.splits.assign(maps, {node});
  return job;
}

// Distance costs nothing. Queue q is guaranteed nine tenths, r one.
Cluster with_queues(Cluster cluster) {
  cluster.reads = {Reads::Kind::slowdown, 1, 1};
  cluster.queues = {{.name = "q", .capacity = 90, .user_limit_factor = 100},
                    {.name = "r", .capacity = 10, .user_limit_factor = 100}};
  return cluster;
}

// n1 reports at 0, 10, 20 … and n2 at 5, 15, 25 ….
Cluster two_nodes(Count slots_of_n1, Count slots_of_n2) {
  Cluster cluster;
  for (const auto& [name, slots] : {std::pair{"n1", slots_of_n1}, {"n2", slots_of_n2}}) {
    NodeGroup group;
    group.hosts = {name};
    group.slots = {slots, 0};
    cluster.nodes.push_back(group);
  }
  cluster.mode.heartbeat = ms(10);
  return with_queues(std::move(cluster));
}

// X holds a1. q is then furthest below its guarantee once B has its first map, so that b1 is A's. But A waits
// for a1, and B, which has a block on b1, goes first.
TEST_P(CapacityPlacers, DelayLetsAnotherQueueGoFirst) {
  Workload workload{{maps_on("a1", "X", "q", 1), maps_on("a1", "A", "q", 1), maps_on("a2", "B", "r", 2)}};
  workload.jobs[2].splits[1] = {"b1"};
  const Cluster cluster = with_queues(two_racks());
  const auto plain = run(workload, cluster, "capacity");
  EXPECT_EQ(running(plain, Kind::map, 0), (Counts{1, 1, 1}));
  EXPECT_EQ(plain.jobs[1].off_rack, 1U);
  const auto delayed = run(workload, cluster, "capacity+delay(1h)");
  EXPECT_EQ(running(delayed, Kind::map, 0), (Counts{1, 0, 2}));
  EXPECT_EQ(delayed.jobs[1].start, at_ms(100)) << "a1 is free";
  EXPECT_EQ(delayed.jobs[1].node_local + delayed.jobs[2].node_local, 3U);
}

TEST_P(CapacityPlacers, DelayEndsForTheQueueThatHasWaited) {
  const Workload workload{
      {maps_on("a1", "X", "q", 1), maps_on("a1", "A", "q", 1), maps_on("a1", "B", "r", 1)}};
  const auto result = run(workload, with_queues(two_racks()), "capacity+delay(4ms)");
  EXPECT_EQ(result.jobs[0].start, at_ms(0));
  EXPECT_EQ(result.jobs[1].start, at_ms(4));
  EXPECT_EQ(result.jobs[2].start, at_ms(4));
}

// At 0 n1 takes B's map, which is near, though q goes first. At 5 n2 is filled with A's. At 10 n1 has found
// no near map twice, and takes A's last one.
TEST_P(CapacityPlacers, MatchmakingTakesNearMapsOfWhicheverQueue) {
  const Workload workload{{maps_on("n2", "A", "q", 3), maps_on("n1", "B", "r", 1)}};
  Cluster cluster = two_nodes(2, 2);
  EXPECT_EQ(running(run(workload, cluster, "capacity"), Kind::map, 0), (Counts{1, 1}));
  const auto result = run(workload, cluster, "capacity+matchmaking");
  EXPECT_EQ(running(result, Kind::map, 0), (Counts{0, 1}));
  EXPECT_EQ(running(result, Kind::map, 5), (Counts{2, 1}));
  EXPECT_EQ(running(result, Kind::map, 10), (Counts{3, 1}));
  EXPECT_EQ(result.jobs[0].node_local, 2U);
  // At its maximum of two slots q gets none from elsewhere: A's last map waits for n2, until 105.
  cluster.queues[0].capacity = cluster.queues[0].maximum = cluster.queues[1].capacity = 50;
  const auto limited = run(workload, cluster, "capacity+matchmaking");
  EXPECT_EQ(running(limited, Kind::map, 104), (Counts{2, 0}));
  EXPECT_EQ(limited.jobs[0].node_local, 3U);
  EXPECT_EQ(limited.jobs[0].finish, at_ms(205));
}

// n1 has no block of A, of the queue that goes first there. It takes one map of A a heartbeat and no more,
// though it has blocks of B. At 30 A has none left.
TEST_P(CapacityPlacers, OneNonLocalEndsTheHeartbeatWhicheverQueueIsNext) {
  const Workload workload{{maps_on("n2", "A", "q", 3), maps_on("n1", "B", "r", 3)}};
  const Cluster cluster = two_nodes(4, 1);
  EXPECT_EQ(running(run(workload, cluster, "capacity"), Kind::map, 0), (Counts{3, 1}));
  const auto result = run(workload, cluster, "capacity+one-non-local");
  EXPECT_EQ(running(result, Kind::map, 0), (Counts{1, 0}));
  EXPECT_EQ(running(result, Kind::map, 5), (Counts{1, 1})) << "n2 takes one of r, which has none yet";
  EXPECT_EQ(running(result, Kind::map, 10), (Counts{2, 1}));
  EXPECT_EQ(running(result, Kind::map, 20), (Counts{3, 1}));
  EXPECT_EQ(running(result, Kind::map, 30), (Counts{3, 2})) << "and n1 is full";
}

INSTANTIATE_TEST_SUITE_P(Engines, CapacityPlacers, cluster_engines(), name_of_engine);

}  // namespace
}  // namespace wavewright
