// Delay scheduling: how long a job waits for a node of its block, then for its rack [Zaharia et al. 2010,
// Alg. 2].
//
// Nodes a1 and a2 of one rack and b1 of another, a map slot each.
#include "tests/sched/queued_jobs.h"

namespace wavewright {
namespace {

class DelayPolicy : public OnEachEngine {};

// A job whose maps all have their block on one node.
Job with_blocks_on(const char* node, Job job) {
  job.splits.assign(job.maps.size(), {node});
  return job;
}

// Distance costs nothing: maps take as long anywhere.
Cluster even_racks() {
  Cluster cluster = two_racks();
  cluster.reads.rack = cluster.reads.off_rack = 1;
  return cluster;
}

// a1 taken until 100, and a2 too where asked for.
Workload behind(bool a2, std::vector<Job> jobs) {
  Workload workload{{with_blocks_on("a1", job_of("X", {100}, {}))}};
  if (a2) workload.jobs.push_back(with_blocks_on("a2", job_of("Y", {100}, {})));
  for (Job& job : jobs) workload.jobs.push_back(std::move(job));
  return workload;
}

TEST_P(DelayPolicy, LetsANodePassUntilTheJobHasWaitedLongEnough) {
  Workload workload{{with_blocks_on("a1", job_of("A", {10, 10}, {}))}};
  const auto patient = run(workload, two_racks(), "fifo+delay(60ms)");
  EXPECT_EQ(patient.jobs[0].finish, at_ms(20)) << "both on a1, one after the other";
  const auto hasty = run(workload, two_racks(), "fifo+delay(4ms)");
  EXPECT_EQ(hasty.jobs[0].rack_local, 1U);
  EXPECT_EQ(hasty.jobs[0].finish, at_ms(4 + 15));
}

TEST_P(DelayPolicy, StartsAMapAtOnceOnANodeOfItsBlock) {
  const auto result = run({{with_blocks_on("b1", job_of("A", {10}, {}))}}, two_racks(), "fifo+delay(1h)");
  EXPECT_EQ(result.jobs[0].finish, at_ms(10));
}

TEST_P(DelayPolicy, LetsJobsBehindGoFirstWhileItWaits) {
  // a1 is free at 20. Until then B, which is behind A, takes a2 and b1.
  const auto result =
      run({{with_blocks_on("a1", job_of("X", {20}, {})), with_blocks_on("a1", job_of("A", {10}, {})),
            with_blocks_on("a2", job_of("B", {10, 10}, {}))}},
          even_racks(), "fifo+delay(50ms)");
  EXPECT_EQ(result.jobs[1].start, at_ms(20));
  EXPECT_EQ(result.jobs[2].start, at_ms(0));
  EXPECT_EQ(result.jobs[2].finish, at_ms(20)) << "its second map waits for a2 as well";
}

TEST_P(DelayPolicy, TakesItsRackAfterTheFirstWait) {
  const auto result = run(behind(false, {with_blocks_on("a1", job_of("A", {10}, {}))}), even_racks(),
                          "fifo+delay(4ms, rack=50ms)");
  EXPECT_EQ(result.jobs[1].start, at_ms(4));
  EXPECT_EQ(result.jobs[1].rack_local, 1U);
}

TEST_P(DelayPolicy, TakesAnyNodeAfterBothWaits) {
  const Workload workload = behind(true, {with_blocks_on("a1", job_of("A", {10}, {}))});
  const auto both = run(workload, even_racks(), "fifo+delay(4ms, rack=6ms)");
  EXPECT_EQ(both.jobs[2].start, at_ms(4 + 6));
  EXPECT_EQ(both.jobs[2].off_rack, 1U);
  EXPECT_EQ(run(workload, even_racks(), "fifo+delay(4ms)").jobs[2].start, at_ms(4));
  EXPECT_EQ(run(workload, even_racks(), "fifo+delay(0s, rack=6ms)").jobs[2].start, at_ms(6));
  EXPECT_EQ(run(workload, even_racks(), "fifo+delay(0s)").jobs[2].start, at_ms(0));
  EXPECT_EQ(run(workload, even_racks(), "fifo+delay(2min, rack=6ms)").jobs[2].start, at_ms(100))
      << "a1 is free";
}

// A's blocks lie on a1, which is taken for 20 s. It starts in the rack on a2 when that is free at 4.5 s, and
// from then on waits 2 s for a node outside: not until 5 s after it came.
TEST_P(DelayPolicy, WaitsAnewAfterALaunchInItsRack) {
  Workload workload{{with_blocks_on("a1", job_of("B", {20'000}, {})),
                     with_blocks_on("a2", job_of("C", {4500}, {})),
                     with_blocks_on("a1", job_of("A", {60'000, 60'000, 60'000}, {}))}};
  const auto starts = [&](const std::string& policy) {
    std::vector<std::int64_t> found;
    for (const TaskRecord& task : attempts_of(run(workload, even_racks(), policy), 2, Kind::map))
      found.push_back(to_ms(task.start - Time{}));
    return found;
  };
  EXPECT_EQ(starts("fifo+delay(3s, rack=2s)"), (std::vector<std::int64_t>{4500, 6500, 20'000}));
  // Once it has started outside it may do so again without a wait.
  workload.jobs[2].maps = {ms(1000), ms(1000), ms(1000)};
  EXPECT_EQ(starts("fifo+delay(1s, rack=1s)"), (std::vector<std::int64_t>{2000, 3000, 4000}));
}

// a2 is free again at 30 s: the level of its last launch, in the rack, lets A start there at once.
TEST_P(DelayPolicy, StartsInTheRackAtOnceAfterALaunchThere) {
  const Workload workload{{with_blocks_on("a1", job_of("B", {200'000}, {})),
                           with_blocks_on("b1", job_of("C", {200'000}, {})),
                           with_blocks_on("a1", job_of("A", {10'000, 10'000}, {}))}};
  const auto maps = attempts_of(run(workload, even_racks(), "fifo+delay(3s, rack=1h)"), 2, Kind::map);
  ASSERT_EQ(maps.size(), 2U);
  EXPECT_EQ(maps[0].start, at_ms(3000));
  EXPECT_EQ(maps[1].start, at_ms(13'000));
}

TEST_P(DelayPolicy, TakesItsRackAtOnceWhereTheFirstWaitIsNone) {
  const auto result = run(behind(false, {with_blocks_on("a1", job_of("A", {10}, {}))}), even_racks(),
                          "fifo+delay(0s, rack=6ms)");
  EXPECT_EQ(result.jobs[1].start, at_ms(0));
  EXPECT_EQ(result.jobs[1].rack_local, 1U);
}

TEST_P(DelayPolicy, GoesOnInItsRackWithoutWaitingAgain) {
  // a2 has two slots: at 4 A takes the first in its rack, and the second without another 4 ms.
  Cluster cluster = even_racks();
  cluster.nodes[1].slots.map_slots = 2;
  const auto result = run(behind(false, {with_blocks_on("a1", job_of("A", {10, 10}, {}))}), cluster,
                          "fifo+delay(4ms, rack=50ms)");
  EXPECT_EQ(running(result, Kind::map, 4), (Counts{1, 2}));
}

TEST_P(DelayPolicy, WaitsAnewAfterAMapOnANodeOfItsBlock) {
  // Each of three maps starts on a1, the next one 10 ms later, before 15 ms are over.
  const auto result =
      run({{with_blocks_on("a1", job_of("A", {10, 10, 10}, {}))}}, even_racks(), "fifo+delay(15ms)");
  EXPECT_EQ(result.jobs[0].node_local, 3U);
  EXPECT_EQ(result.jobs[0].finish, at_ms(30));
}

TEST_P(DelayPolicy, ForgetsThatItTookItsRackAfterAMapOnANodeOfItsBlock) {
  // a1 is free at 12, a2 at 14. A: on a2 at 4, on a1 at 12, and on a2 not at 14 but 4 ms after 12.
  const auto result = run(
      {{with_blocks_on("a1", job_of("X", {12}, {})), with_blocks_on("a1", job_of("A", {10, 10, 10}, {}))}},
      even_racks(), "fifo+delay(4ms, rack=1s)");
  std::vector<Time> starts;
  for (const TaskRecord& task : attempts_of(result, 1, Kind::map)) starts.push_back(task.start);
  EXPECT_EQ(starts, (std::vector<Time>{at_ms(4), at_ms(12), at_ms(16)}));
}

TEST_P(DelayPolicy, GivesEachJobAWaitOfItsOwn) {
  // B comes 3 ms after A: A takes a2 at 4, B takes b1 at 7.
  const auto result = run(behind(false, {with_blocks_on("a1", job_of("A", {50}, {})),
                                         with_blocks_on("a1", job_of("B", {50}, {}, 3))}),
                          even_racks(), "fifo+delay(4ms)");
  EXPECT_EQ(result.jobs[1].start, at_ms(4));
  EXPECT_EQ(result.jobs[2].start, at_ms(7));
}

TEST_P(DelayPolicy, LetsNoReduceWait) {
  Cluster cluster = even_racks();
  cluster.nodes[2].slots.reduce_slots = 1;
  const auto result = run({{with_blocks_on("a1", job_of("A", {10}, {5, 5}))}}, cluster, "fifo+delay(1h)");
  EXPECT_EQ(result.jobs[0].finish, at_ms(20));
}

TEST_P(DelayPolicy, AReduceDoesNotRestartTheWaitOfItsJobsMaps) {
  // A's reduce starts at 2, when R leaves the slot. Its map goes on waiting until 4.
  Cluster cluster = even_racks();
  cluster.nodes[2].slots.reduce_slots = 1;
  cluster.mode.slowstart = 0;
  const auto result = run(behind(false, {job_of("R", {}, {2}), with_blocks_on("a1", job_of("A", {10}, {5}))}),
                          cluster, "fifo+delay(4ms)");
  EXPECT_EQ(attempts_of(result, 2, Kind::reduce).at(0).start, at_ms(2));
  EXPECT_EQ(attempts_of(result, 2, Kind::map).at(0).start, at_ms(4));
}

TEST_P(DelayPolicy, KeepsToTheOrderOfTheAllocator) {
  // Both wait for a1 and may take a2 from 4 on: under FIFO that is A's, though B came to wait at the same
  // instant.
  const auto result = run(behind(false, {with_blocks_on("a1", job_of("A", {10, 10}, {})),
                                         with_blocks_on("a1", job_of("B", {10}, {}))}),
                          even_racks(), "fifo+delay(4ms, rack=1s)");
  std::string order;
  for (const TaskRecord& task : result.trace) order += "XAB"[task.job];
  EXPECT_EQ(order, "XAAB");
}

// The map never fits on node1, which holds its block. Nothing else happens until it may start on node2.
TEST(DelayOnContainers, MayLastForAMillionHeartbeats) {
  Cluster cluster = container_nodes(1, 1024);
  cluster.nodes.push_back(cluster.nodes.front());
  cluster.nodes.back().memory = mib(4096);
  cluster.mode.heartbeat = ms(1);
  cluster.reads = {Reads::Kind::slowdown, 1, 1};
  Workload workload{{with_blocks_on("node1", job_of("A", {10}, {}))}};
  workload.jobs[0].memory.map = mib(2048);
  Policy policy = make_policy_on("fifo+delay(20min)", cluster);
  const auto result = simulate_cluster(workload, policy, {cluster, 1});
  EXPECT_GE(result.makespan, ms(20 * 60 * 1000));
  EXPECT_EQ(result.jobs[0].rack_local, 1U);
}

INSTANTIATE_TEST_SUITE_P(Engines, DelayPolicy, cluster_engines(), name_of_engine);

}  // namespace
}  // namespace wavewright
