// The rules of containers, one by one, on both engines.
#include <gmock/gmock.h>

#include <map>

#include "tests/sim/small_clusters.h"
#include "tests/sim/small_jobs.h"
#include "wavewright/core/error.h"
#include "wavewright/sim/metrics/explain.h"
#include "wavewright/sim/metrics/usage.h"

namespace wavewright {
namespace {

class ContainerModel : public OnEachEngine {
 protected:
  static void expect_no_answer(const Workload& workload, const Cluster& cluster, const std::string& text) {
    try {
      (void)run(workload, cluster);
      FAIL() << "nothing was thrown";
    } catch (const Infeasible& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(text));
    }
  }
};

TEST_P(ContainerModel, AJobPassesThroughItsMastersHeartbeats) {
  Cluster cluster = container_nodes(1, 4096);
  cluster.mode.launch = ms(10);
  cluster.masters = {.start = ms(100), .finish = ms(5), .stop = ms(50), .heartbeat = ms(1000)};
  const Workload workload{{job_of("A", {100, 100, 100, 100}, {50})}};
  const auto result = run(workload, cluster);
  // Up at 110: asks for four maps, gets three, fetches them at 1110; they end at 1220.
  const auto maps = attempts_of(result, 0, Kind::map);
  ASSERT_EQ(maps.size(), 4U);
  EXPECT_EQ(maps[2].start, at_ms(110));
  EXPECT_EQ(maps[2].end, at_ms(1220));
  // The fourth takes the room that is then free, is fetched at 2110 and ends at 2220.
  EXPECT_EQ(maps[3].start, at_ms(1220));
  EXPECT_EQ(result.jobs[0].maps_done, at_ms(2220));
  // The master decides at 3110 to ask for the reduce. It is asked for and given at 4110, and fetched at 5110.
  const auto reduces = attempts_of(result, 0, Kind::reduce);
  ASSERT_EQ(reduces.size(), 1U);
  EXPECT_EQ(reduces[0].start, at_ms(4110));
  EXPECT_EQ(reduces[0].end, at_ms(5170));
  EXPECT_EQ(result.jobs[0].finish, at_ms(5175));
  const auto masters = attempts_of(result, 0, Kind::master);
  ASSERT_EQ(masters.size(), 1U);
  EXPECT_EQ(masters[0].end, at_ms(5225));
  EXPECT_EQ(masters[0].memory, 1024U);

  // The last map is fetched at 2110 and works at 2120, 900 ms after it got its container.
  using What = TimePart::What;
  const std::vector<TimePart> expected = {{What::master_start, ms(110)}, {What::map_waves, ms(1110)},
                                          {What::launch, ms(900)},       {What::map_work, ms(100)},
                                          {What::reduce_slot, ms(1890)}, {What::launch, ms(1010)},
                                          {What::reduce_work, ms(50)},   {What::commit, ms(5)}};
  const std::vector<TimePart> parts = explain(result, workload, cluster, 0).parts;
  ASSERT_EQ(parts.size(), expected.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    EXPECT_EQ(parts[i].what, expected[i].what) << i;
    EXPECT_EQ(parts[i].time, expected[i].time) << i;
  }
  const auto usage = usage_by_node(result, cluster);
  EXPECT_EQ(usage[0].masters, 1);
  // The master to the makespan, three maps of 1110 ms, one of 1000, a reduce of 1060; in MiB · s.
  EXPECT_NEAR(usage[0].memory_busy, 1.024 * (5175 + 3 * 1110 + 1000 + 1060), 1e-6);
}

TEST_P(ContainerModel, ANodeReportsEndsAtItsHeartbeats) {
  Cluster cluster = container_nodes(1, 2048);
  cluster.mode.heartbeat = ms(100);
  const auto result = run({{job_of("A", {30, 30}, {})}}, cluster);
  // Master at 0, up at once, asks at 1; first map at 100, over at 131, its room free at 200.
  const auto maps = attempts_of(result, 0, Kind::map);
  ASSERT_EQ(maps.size(), 2U);
  EXPECT_EQ(maps[0].start, at_ms(100));
  EXPECT_EQ(maps[1].start, at_ms(200));
  EXPECT_EQ(result.jobs[0].finish, at_ms(231)) << "the master knows of the end at once";
}

// Y's master finds 512 MiB on node1, which is reserved for it, and starts on node2. Once it has started, Y
// asks for nothing: node1 gives its room to X's reduce, not to the maps that Y asks for later.
TEST_P(ContainerModel, AReservationEndsWithTheRequests) {
  Cluster cluster = container_nodes(2, 2560);
  cluster.masters.start = ms(50);
  Workload workload{{job_of("X", {48}, {10}), job_of("Y", {10}, {}, 50), job_of("Small", {10}, {}, 1000)}};
  workload.jobs[2].memory.map = mib(512);  // else a node with 512 MiB is full
  const auto result = run(workload, cluster);
  EXPECT_EQ(attempts_of(result, 1, Kind::master).at(0).node, 1U);
  EXPECT_EQ(attempts_of(result, 0, Kind::reduce).at(0).start, at_ms(100));
  EXPECT_EQ(attempts_of(result, 0, Kind::reduce).at(0).node, 0U);
}

// Masters and B's map are on node1. B's reduce takes a whole one of the others. From 72 on node2 is reserved
// for it and goes at 90, then node3. Without a reservation A's maps would have each room first.
TEST_P(ContainerModel, AReservationEndsWithItsNode) {
  Cluster cluster = container_nodes(1, 3072);
  cluster.nodes.push_back(cluster.nodes.front());
  cluster.nodes.back().count = 2;
  cluster.nodes.back().memory = mib(4096);
  cluster.outages = {{"node2", at_ms(90), {}}};
  std::vector<int> maps = {70, 500, 500, 500, 150, 160, 170, 180};
  maps.resize(40, 100);
  Workload workload{{job_of("B", {60}, {10}), job_of("A", maps, {})}};
  workload.jobs[0].memory.reduce = mib(4096);
  const auto result = run(workload, cluster, "fair(masters=any)");
  EXPECT_EQ(attempts_of(result, 0, Kind::reduce).at(0).start, at_ms(182));
}

// Both ask at 50. A's map fits on node2 alone. B's gets what is left on node1, which was reserved for A's.
TEST_P(ContainerModel, RoomThatIsNoLongerReservedIsGivenAtOnce) {
  Cluster cluster = container_nodes(1, 2560);
  cluster.nodes.push_back(cluster.nodes.front());
  cluster.nodes.back().memory = mib(1024);
  cluster.masters.start = ms(50);
  Workload workload{{job_of("A", {10}, {}), job_of("B", {10}, {})}};
  workload.jobs[1].memory.map = mib(512);
  const auto result = run(workload, cluster);
  EXPECT_EQ(attempts_of(result, 0, Kind::map).at(0).node, 1U);
  EXPECT_EQ(attempts_of(result, 1, Kind::map).at(0).start, at_ms(50));
}

TEST_P(ContainerModel, OffSwitchContainersAreRationed) {
  Cluster cluster = container_nodes(1, 8192);
  cluster.mode.heartbeat = ms(100);
  cluster.containers.off_switch_per_heartbeat = 1;
  const auto result = run({{job_of("A", {1000, 1000, 1000}, {})}}, cluster);
  const auto maps = attempts_of(result, 0, Kind::map);
  ASSERT_EQ(maps.size(), 3U);
  EXPECT_EQ(maps[0].start, at_ms(100));
  EXPECT_EQ(maps[2].start, at_ms(300));
}

// B waits for A's master, which holds the room that A's map would need: A is to blame, not the policy.
TEST_P(ContainerModel, OfStuckJobsTheOneThatWasAdmittedIsNamed) {
  Cluster cluster = container_nodes(1, 2048);
  cluster.queues = {{.name = "a", .capacity = 100, .maximum_masters = 0}};
  Workload workload{{job_of("B", {10}, {}, 1), job_of("A", {10}, {})}};
  workload.jobs[1].memory.map = mib(2048);
  for (Job& job : workload.jobs) job.queue = "a";
  EXPECT_THROW((void)run(workload, cluster, "capacity"), Infeasible);
}

TEST_P(ContainerModel, ALostMasterTakesItsTasksWithIt) {
  Cluster cluster = container_nodes(2, 2048);
  cluster.outages = {{"node1", at_ms(150), at_ms(151)}};
  const auto result = run({{job_of("A", {100, 300, 300}, {})}}, cluster);
  const auto masters = attempts_of(result, 0, Kind::master);
  ASSERT_EQ(masters.size(), 2U);
  EXPECT_EQ(masters[0].outcome, AttemptOutcome::lost);
  EXPECT_EQ(masters[1].start, at_ms(150)) << "on the other node";
  EXPECT_EQ(masters[1].attempt, 1U);
  EXPECT_EQ(attempts_of(result, 0, Kind::map).size(), 5U)
      << "the first is done, the two that ran on node2 run again";
  EXPECT_FALSE(result.jobs[0].failed);
}

TEST_P(ContainerModel, AReduceMakesRoomForAMapThatMustRunAgain) {
  Cluster cluster = container_nodes(2, 1024);
  cluster.nodes.push_back(cluster.nodes.front());
  cluster.nodes.back().count = 1;
  cluster.nodes.back().memory = mib(2048);
  cluster.mode.slowstart = 0;
  cluster.outages = {{"node2", at_ms(150), {}}};
  // The master is on node1, the map runs on node2, two reduces wait on node3. At 150 the map's output is
  // gone, and a reduce has still to fetch it.
  const auto result = run({{job_of("A", {100}, {5000, 5000, 5000, 5000})}}, cluster);
  const auto reduces = attempts_of(result, 0, Kind::reduce);
  const auto killed = std::count_if(reduces.begin(), reduces.end(), [](const TaskRecord& task) {
    return task.outcome == AttemptOutcome::killed;
  });
  EXPECT_EQ(killed, 1);
  const auto maps = attempts_of(result, 0, Kind::map);
  ASSERT_EQ(maps.size(), 2U);
  EXPECT_EQ(maps[1].node, 2U);
  EXPECT_FALSE(result.jobs[0].failed);
}

// A's map is asked for at 1000, fetched at 2000 and ends at 2011. At 3000 A's master decides to ask for the
// reduce, and asks at 4000. By then B has the room: its master, up at 2100, asked at 3100. Its map is fetched
// at 4100.
TEST_P(ContainerModel, ARoomMayGoToOthersBeforeItsJobAsksForReduces) {
  Cluster cluster = container_nodes(1, 3072);
  cluster.mode.heartbeat = ms(100);
  cluster.masters.heartbeat = ms(1000);
  const auto result = run({{job_of("A", {11}, {50}), job_of("B", {5050}, {}, 2050)}}, cluster);
  EXPECT_EQ(attempts_of(result, 0, Kind::map).at(0).end, at_ms(2011));
  EXPECT_EQ(attempts_of(result, 1, Kind::map).at(0).end, at_ms(9150));
  EXPECT_EQ(attempts_of(result, 0, Kind::reduce).at(0).start, at_ms(9200));
}

TEST_P(ContainerModel, MastersThatWaitForEachOtherAreNamed) {
  expect_no_answer({{job_of("A", {10}, {}), job_of("B", {10}, {})}}, container_nodes(1, 2048),
                   "job 'A' can never be placed");
}

// node1 has room for the master and one more, node2 for one. The map runs on node2 and the first reduce on
// node1, where it is over from 111 on and has its container until 200. With node2 the map's output is lost at
// 130: the master wants room for the map, and there is no reduce to stop for it.
TEST_P(ContainerModel, AReduceThatIsOverIsNotStoppedForAMap) {
  Cluster cluster = container_nodes(1, 2048);
  cluster.nodes.push_back(cluster.nodes[0]);
  cluster.nodes[1].memory = mib(1024);
  cluster.mode.heartbeat = ms(100);  // node1 at 0, 100 …, node2 at 50, 150 …
  cluster.mode.out_of_band = false;
  cluster.outages = {{"node2", at_ms(130), at_ms(1'000)}};
  const auto result = run({{job_of("A", {10}, {10, 10})}}, cluster);
  const auto maps = attempts_of(result, 0, Kind::map), reduces = attempts_of(result, 0, Kind::reduce);
  ASSERT_EQ(maps.size(), 2U);
  ASSERT_EQ(reduces.size(), 2U);
  EXPECT_EQ(reduces[0].start, at_ms(100));
  EXPECT_LT(reduces[0].end, at_ms(130));
  EXPECT_EQ(maps[1].start, at_ms(200));
  for (const TaskRecord& task : result.trace) EXPECT_EQ(task.outcome, AttemptOutcome::done);
}

// Two maps at a time in one container, which is given back when both have ended.
TEST_P(ContainerModel, TasksOfADataParallelJobShareAContainer) {
  Cluster cluster = container_nodes(1, 2048);  // the master, and one more
  cluster.nodes[0].node_class = "gpu";
  Job job = job_of("A", {10, 4, 6}, {});
  job.classes["gpu"] = {1, 2, 1};
  const auto result = run({{job}}, cluster);
  const auto maps = attempts_of(result, 0, Kind::map);
  ASSERT_EQ(maps.size(), 3U);
  EXPECT_EQ(maps[1].start, maps[0].start);
  EXPECT_EQ(maps[1].slot, maps[0].slot);
  EXPECT_LT(maps[1].end, maps[0].end);
  EXPECT_GE(maps[2].start, maps[0].end);
  EXPECT_EQ(result.map_busy, (maps[0].end - maps[0].start) + (maps[2].end - maps[2].start));
  const auto usage = usage_by_node(result, cluster);
  const TaskRecord master = attempts_of(result, 0, Kind::master).at(0);
  const Duration of_master = std::min(master.end, Time{} + result.makespan) - master.start;
  EXPECT_NEAR(usage[0].memory_busy, 1.024 * static_cast<double>(to_ms(of_master + result.map_busy)), 1e-9);
}

TEST_P(ContainerModel, AContainerThatFitsNoNodeIsNamed) {
  Workload workload{{job_of("A", {10}, {})}};
  workload.jobs[0].memory.map = mib(4097);
  expect_no_answer(workload, container_nodes(3, 4096),
                   "a map of job 'A' asks for 4097 MiB: no node has the room");
  Cluster cluster = container_nodes(3, 8192);
  cluster.limits.max_memory = mib(4096);
  expect_no_answer(workload, cluster, "more than the cluster's largest container of 4096 MiB");
}

TEST_P(ContainerModel, RequestsAreRoundedUpToTheStep) {
  Cluster cluster = container_nodes(1, 4096);
  cluster.limits.min_memory = mib(1024);
  cluster.containers.map.memory = mib(1025);
  const auto result = run({{job_of("A", {10, 10}, {})}}, cluster);
  EXPECT_EQ(attempts_of(result, 0, Kind::map).at(0).memory, 2048U);
  EXPECT_GT(attempts_of(result, 0, Kind::map).at(1).start, attempts_of(result, 0, Kind::map).at(0).start)
      << "two do not fit";
}

// Five nodes of 2,560 MiB for a master and maps of 1,536 and reduces of 1,024. From 60 s on node3 is gone,
// and with it the second map.
Cluster five_nodes() {
  Cluster cluster = container_nodes(5, 2560);
  cluster.containers.master.memory = cluster.containers.map.memory = mib(1536);
  cluster.mode.slowstart = 0.5;
  cluster.masters.heartbeat = ms(1000);
  cluster.outages = {{"node3", at_ms(60'000), {}}};
  return cluster;
}

// Besides six reduces, which wait for the map, one of its size fits on node5. The map has it before the
// reduce that was lost with it.
TEST_P(ContainerModel, ALostMapTakesTheRoomThatIsLeft) {
  const auto result = run({{job_of("A", {10'000, 100'000}, std::vector<int>(7, 5000))}}, five_nodes());
  const auto maps = attempts_of(result, 0, Kind::map);
  ASSERT_EQ(maps.size(), 3U);
  EXPECT_EQ(maps[2].task, 1U);
  EXPECT_EQ(maps[2].start, at_ms(60'000));
  EXPECT_FALSE(result.jobs[0].failed);
}

// With one reduce more, 512 MiB are left on each of three nodes, and no map fits: only after five minutes
// does the master stop reduces for it all the same [mapreduce.job.reducer.unconditional-preempt.delay.sec].
TEST_P(ContainerModel, AMapThatWaitsTooLongHasReducesStoppedWhateverRoomThereSeemsToBe) {
  Cluster cluster = five_nodes();
  const Job job = job_of("A", {10'000, 100'000}, std::vector<int>(8, 5000));
  const auto result = run({{job}}, cluster);
  EXPECT_FALSE(result.jobs[0].failed);
  const auto maps = attempts_of(result, 0, Kind::map);
  ASSERT_EQ(maps.size(), 3U);
  EXPECT_EQ(maps[2].task, 1U);
  EXPECT_GT(maps[2].start, at_ms(360'000));
  EXPECT_LE(maps[2].start, at_ms(362'000));
  cluster.masters.unconditional_preempt_delay = ms(20'000);
  EXPECT_LE(attempts_of(run({{job}}, cluster), 0, Kind::map)[2].start, at_ms(82'000));
}

// One container at a time beside the master. When the first attempt has gone with node2, its map is asked for
// before the reduces; a map that never ran comes after them.
TEST_P(ContainerModel, AMapWhoseNodeWasLostGoesBeforeReduces) {
  Cluster cluster = container_nodes(1, 2048);
  cluster.nodes.push_back(cluster.nodes.front());
  cluster.nodes.back().memory = mib(1024);
  cluster.mode.slowstart = 0;
  cluster.masters.ramp_up = 1;
  cluster.outages = {{"node2", at_ms(150), {}}};
  const auto result = run({{job_of("A", {100, 400}, {50, 50})}}, cluster);
  std::vector<std::pair<Kind, std::uint32_t>> order;
  for (const TaskRecord& task : result.trace) {
    if (task.kind != Kind::master && task.start >= at_ms(150)) order.emplace_back(task.kind, task.task);
  }
  ASSERT_FALSE(order.empty());
  EXPECT_EQ(order.front(), std::pair(Kind::map, 1U));
}

// A leaves 1 GiB free on each of 20 nodes, and B's maps need whole ones. Under Capacity B reserves nodes
// until all that is free is reserved; under Fair one, which is 5 %, and C runs on the others.
TEST_P(ContainerModel, FairLetsAJobReserveFewNodes) {
  Workload workload{{job_of("A", std::vector<int>(20, 1000), {}),
                     job_of("B", std::vector<int>(30, 10), {}, 100),
                     job_of("C", std::vector<int>(10, 10), {}, 200)}};
  workload.jobs[0].memory.map = mib(1536);
  workload.jobs[1].memory.map = mib(2560);
  const auto last_start = [&](const std::string& policy, Kind kind) {
    const auto result = run(workload, container_nodes(20, 2560), policy);
    return attempts_of(result, 2, kind).back().start;
  };
  EXPECT_LT(last_start("fair", Kind::map), at_ms(300));
  EXPECT_GT(last_start("capacity", Kind::master), at_ms(1000));
  EXPECT_GT(last_start("fair(reservable_nodes=100%)", Kind::map), at_ms(1000));
}

// 40 idle nodes in four racks, three copies of each block: Capacity lets nodes go for a job's blocks.
TEST_P(ContainerModel, CapacityWaitsForNodesWithBlocks) {
  Cluster cluster = container_nodes(10, 4096);
  for (const char* rack : {"/b", "/c", "/d"}) {
    cluster.nodes.push_back(cluster.nodes.front());
    cluster.nodes.back().rack = rack;
  }
  cluster.mode.heartbeat = ms(100);
  cluster.reads.kind = Reads::Kind::slowdown;
  Workload workload;
  for (int job = 0; job < 5; ++job)
    workload.jobs.push_back(
        job_of(("J" + std::to_string(job)).c_str(), std::vector<int>(20, 500), {}, 400 * job));
  const auto local = [&](const std::string& policy) {
    std::uint64_t node = 0;
    for (const JobOutcome& job : run(workload, cluster, policy).jobs) node += job.node_local;
    return node;
  };
  EXPECT_GE(local("capacity"), 80U) << "of 100 maps";
  EXPECT_LE(local("capacity(node_locality_delay=off)"), 60U);
}

// A's master is up, and ends with its only map, at the instant of a heartbeat. It stays one heartbeat.
TEST_P(ContainerModel, OtherEventsOfItsInstantAreNoFurtherHeartbeat) {
  Cluster cluster = container_nodes(1, 8192);
  cluster.mode.heartbeat = ms(100);
  cluster.containers.per_heartbeat = 1;
  const auto result = run({{job_of("A", {10}, {}), job_of("B", {10}, {})}}, cluster);
  std::map<Time, int> given;
  for (const TaskRecord& each : result.trace) ++given[each.start];
  EXPECT_THAT(given, testing::ElementsAre(testing::Pair(at_ms(0), 1), testing::Pair(at_ms(100), 1),
                                          testing::Pair(at_ms(200), 1), testing::Pair(at_ms(300), 1)));
}

// Nodes n1 and n2, which report at 0 and 50 of each 100.
Cluster two_with_blocks(Count n1, Count n2) {
  Cluster cluster = container_nodes(1, n1);
  cluster.nodes.push_back(cluster.nodes.front());
  cluster.nodes.front().hosts = {"n1"};
  cluster.nodes.back().hosts = {"n2"};
  cluster.nodes.back().memory = mib(n2);
  cluster.mode.heartbeat = ms(100);
  cluster.containers.off_switch_per_heartbeat = 0;
  cluster.masters.start = ms(10);
  cluster.reads = {Reads::Kind::slowdown, 1, 1};
  return cluster;
}

// The master and three maps fill n1, which has all blocks. n2 searches in vain at 50, and again at 150.
TEST_P(ContainerModel, UnderMatchmakingTheSecondSearchInVainGivesAMapFromElsewhere) {
  Job job = job_of("A", {1000, 1000, 1000, 1000, 1000}, {});
  job.splits.assign(5, {"n1"});
  const Cluster cluster = two_with_blocks(4096, 4096);
  const auto maps = attempts_of(run({{job}}, cluster, "fifo+matchmaking"), 0, Kind::map);
  ASSERT_EQ(maps.size(), 5U);
  EXPECT_EQ(maps[2].start, at_ms(100));
  EXPECT_EQ(maps[2].node, 0U);
  EXPECT_EQ(maps[3].start, at_ms(150));
  EXPECT_EQ(maps[3].node, 1U);
  EXPECT_EQ(maps[4].start, at_ms(250)) << "one at a heartbeat";
  EXPECT_EQ(attempts_of(run({{job}}, cluster), 0, Kind::map).front().start, at_ms(50));
}

// Both masters are on n1, which has A's blocks; a map of A would fit on n2 alone. At 50 B starts two maps
// there. At 150 one has ended. Its room is too little for A, but A may reserve n2, and B's third map then
// waits.
TEST_P(ContainerModel, ANodeIsReservedIfThePlacerWouldStartTheMapThere) {
  Workload workload{{job_of("A", {10, 10}, {}), job_of("B", {1000, 10, 10}, {})}};
  workload.jobs[0].memory.map = mib(2048);
  workload.jobs[0].splits.assign(2, {"n1"});
  workload.jobs[1].splits.assign(3, {"n2"});
  const auto third = [&](const std::string& policy) {
    return attempts_of(run(workload, two_with_blocks(3072, 2560), policy), 1, Kind::map).at(2).start;
  };
  EXPECT_EQ(third("fifo+matchmaking"), at_ms(150));
  EXPECT_EQ(third("fifo+delay(1h)"), at_ms(150));
  EXPECT_GT(third("fifo+delay(60ms)"), at_ms(1000));
}

INSTANTIATE_TEST_SUITE_P(Engines, ContainerModel, cluster_engines(), name_of_engine);

}  // namespace
}  // namespace wavewright
