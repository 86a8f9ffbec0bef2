// The rules of containers, one by one, on both engines.
#include <gmock/gmock.h>

#include "tests/sim/small_jobs.h"
#include "wavewright/core/error.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/metrics/explain.h"
#include "wavewright/sim/metrics/usage.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

using Engine = SimulationResult (*)(const Workload&, Policy&, const ClusterOptions&);

constexpr Bytes mib(Count count) {
  return Bytes{count << 20};
}

// Containers of 1 GiB each; masters ask every ms.
Cluster nodes(Count count, Count memory_mb) {
  NodeGroup group;
  group.count = count;
  group.memory = mib(memory_mb);
  group.vcores = 8;
  Cluster cluster;
  cluster.nodes.push_back(group);
  cluster.mode.kind = ClusterMode::Kind::containers;
  cluster.containers.master.memory = mib(1024);
  cluster.masters.heartbeat = ms(1);
  return cluster;
}

class ContainerModel : public ::testing::TestWithParam<Engine> {
 protected:
  [[nodiscard]] static SimulationResult run(const Workload& workload, const Cluster& cluster,
                                            const std::string& spec = "fifo") {
    Policy policy = make_policy(spec, {cluster.queues, true});
    return GetParam()(workload, policy, {cluster, 1, true});
  }
  [[nodiscard]] static std::vector<TaskRecord> of(const SimulationResult& result, JobIndex job, Kind kind) {
    std::vector<TaskRecord> found;
    for (const TaskRecord& task : result.trace) {
      if (task.job == job && task.kind == kind) found.push_back(task);
    }
    return found;
  }
  static void expect_no_answer(const Workload& workload, const Cluster& cluster, const std::string& text) {
    try {
      (void)run(workload, cluster);
      FAIL() << "nothing was thrown";
    } catch (const NoAnswer& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(text));
    }
  }
};

// Two nodes of four cores and room for eight containers each.
Cluster few_cores() {
  Cluster cluster = nodes(2, 8192);
  cluster.nodes[0].vcores = 4;
  return cluster;
}
Workload two_of_a_queue() {
  Workload workload{{job_of("A", {100, 100, 100, 100, 100, 100, 100}, {}), job_of("B", {10}, {}, 5)}};
  for (Job& job : workload.jobs) job.queue = "q";
  return workload;
}

TEST_P(ContainerModel, NoSecondMasterOfAFairQueueStartsWhereAllCoresAreInUse) {
  const auto result = run(two_of_a_queue(), few_cores(), "fair");
  EXPECT_EQ(of(result, 0, Kind::map).size(), 7U)
      << "its master and its maps take all cores, and half the room";
  EXPECT_EQ(of(result, 1, Kind::master).at(0).start, of(result, 0, Kind::map).front().end);
  const auto any = run(two_of_a_queue(), few_cores(), "fair(masters=any)");
  EXPECT_EQ(of(any, 1, Kind::master).at(0).start, at_ms(5));
  Workload apart = two_of_a_queue();
  apart.jobs[1].queue = "another";
  apart.jobs[0].maps.pop_back();
  const auto first = run(apart, few_cores(), "fair");
  EXPECT_EQ(of(first, 1, Kind::master).at(0).start, at_ms(5)) << "half of one free core, rounded up";
}

TEST_P(ContainerModel, MastersOfAFairQueueKeepToAPartOfItsShare) {
  Cluster cluster = nodes(1, 8192);
  cluster.nodes[0].vcores = 100;
  Workload workload;
  for (const char* id : {"A", "B", "C", "D"}) workload.jobs.push_back(job_of(id, {100}, {}));
  for (Job& job : workload.jobs) job.queue = "q";
  const auto up_at_once = [&](const std::string& spec) {
    const auto result = run(workload, cluster, spec);
    Count up = 0;
    for (JobIndex job = 0; job < 4; ++job)
      up += of(result, job, Kind::master).at(0).start == at_ms(0) ? 1 : 0;
    return up;
  };
  EXPECT_EQ(up_at_once("fair(masters=25)"), 2) << "2 of 8 GiB";
  EXPECT_EQ(up_at_once("fair(masters=1)"), 1) << "one always";
  EXPECT_EQ(up_at_once("fair"), 4);
}

TEST_P(ContainerModel, AJobPassesThroughItsMastersHeartbeats) {
  Cluster cluster = nodes(1, 4096);
  cluster.mode.launch = ms(10);
  cluster.masters = {.start = ms(100), .finish = ms(5), .stop = ms(50), .heartbeat = ms(1000)};
  const Workload workload{{job_of("A", {100, 100, 100, 100}, {50})}};
  const auto result = run(workload, cluster);
  // Up at 110: asks for four maps, gets three, fetches them at 1110; they end at 1220.
  const auto maps = of(result, 0, Kind::map);
  ASSERT_EQ(maps.size(), 4U);
  EXPECT_EQ(maps[2].start, at_ms(110));
  EXPECT_EQ(maps[2].end, at_ms(1220));
  // The fourth takes the room that is then free, is fetched at 2110 and ends at 2220.
  EXPECT_EQ(maps[3].start, at_ms(1220));
  EXPECT_EQ(result.jobs[0].maps_done, at_ms(2220));
  // The reduce is asked for at 3110 and fetched at 4110.
  const auto reduces = of(result, 0, Kind::reduce);
  ASSERT_EQ(reduces.size(), 1U);
  EXPECT_EQ(reduces[0].start, at_ms(3110));
  EXPECT_EQ(reduces[0].end, at_ms(4170));
  EXPECT_EQ(result.jobs[0].finish, at_ms(4175));
  const auto masters = of(result, 0, Kind::master);
  ASSERT_EQ(masters.size(), 1U);
  EXPECT_EQ(masters[0].end, at_ms(4225));
  EXPECT_EQ(masters[0].memory, 1024U);

  Duration sum{};
  for (const TimePart& part : explain(result, workload, cluster, 0).parts) sum += part.time;
  EXPECT_EQ(sum, result.jobs[0].finish - result.jobs[0].submit);
  const auto usage = usage_by_node(result, cluster);
  EXPECT_EQ(usage[0].masters, 1);
  // The master to the makespan, three maps of 1110 ms, one of 1000, a reduce of 1060; in MiB · s.
  EXPECT_NEAR(usage[0].memory_busy, 1.024 * (4175 + 3 * 1110 + 1000 + 1060), 1e-6);
}

TEST_P(ContainerModel, ANodeReportsEndsAtItsHeartbeats) {
  Cluster cluster = nodes(1, 2048);
  cluster.mode.heartbeat = ms(100);
  const auto result = run({{job_of("A", {30, 30}, {})}}, cluster);
  // Master at 0, up at once, asks at 1; first map at 100, over at 131, its room free at 200.
  const auto maps = of(result, 0, Kind::map);
  ASSERT_EQ(maps.size(), 2U);
  EXPECT_EQ(maps[0].start, at_ms(100));
  EXPECT_EQ(maps[1].start, at_ms(200));
  EXPECT_EQ(result.jobs[0].finish, at_ms(231)) << "the master knows of the end at once";
}

TEST_P(ContainerModel, ANodeIsKeptForTheFirstJobThatDoesNotFit) {
  Workload workload{
      {job_of("A", {100, 200, 3000}, {}), job_of("B", {10}, {}, 50), job_of("C", {10}, {}, 60)}};
  workload.jobs[1].memory.master = mib(2048);
  const auto result = run(workload, nodes(1, 4096));
  EXPECT_EQ(of(result, 1, Kind::master).at(0).start, at_ms(202)) << "when two of A's maps are over";
  EXPECT_GE(of(result, 2, Kind::master).at(0).start, at_ms(202)) << "C would have fitted at 102";
}

TEST_P(ContainerModel, OffSwitchContainersAreRationed) {
  Cluster cluster = nodes(1, 8192);
  cluster.mode.heartbeat = ms(100);
  cluster.containers.off_switch_per_heartbeat = 1;
  const auto result = run({{job_of("A", {1000, 1000, 1000}, {})}}, cluster);
  const auto maps = of(result, 0, Kind::map);
  ASSERT_EQ(maps.size(), 3U);
  EXPECT_EQ(maps[0].start, at_ms(100));
  EXPECT_EQ(maps[2].start, at_ms(300));
}

// 12 GiB for two users, 6 for each in containers of 2: who holds 6 is not above the limit and gets one more.
TEST_P(ContainerModel, AUserMayPassItsLimitByOneContainer) {
  Cluster cluster = nodes(1, 12288);
  cluster.limits.min_memory = mib(2048);
  cluster.queues = {{.name = "a", .capacity = 100, .minimum_user_limit = 50}};
  Workload workload{{job_of("A", std::vector<int>(6, 900), {}), job_of("B", std::vector<int>(6, 900), {})}};
  workload.jobs[0].user = "ann";
  workload.jobs[1].user = "bob";
  for (Job& job : workload.jobs) job.queue = "a";
  const auto result = run(workload, cluster, "capacity");
  const auto at_first = [&](JobIndex job) {
    const auto maps = of(result, job, Kind::map);
    return std::count_if(maps.begin(), maps.end(), [](const TaskRecord& t) { return t.start < at_ms(500); });
  };
  EXPECT_EQ(at_first(0), 3) << "and its master: 8 GiB";
  EXPECT_EQ(at_first(1), 1);
}

// A fifth of 12 GiB has room for one master of 1 GiB and for the small one of C, not for B's.
TEST_P(ContainerModel, JobsWaitWhereMastersHaveTheirPartOfTheQueue) {
  Cluster cluster = nodes(1, 12288);
  cluster.queues = {{.name = "a", .capacity = 100, .maximum_masters = 20}};
  Workload workload{{job_of("A", {100}, {}), job_of("B", {10}, {}, 1), job_of("C", {10}, {}, 2)}};
  workload.jobs[0].memory.master = mib(2048);
  workload.jobs[1].memory.master = mib(1024);
  workload.jobs[2].memory.master = mib(300);
  for (Job& job : workload.jobs) job.queue = "a";
  const auto result = run(workload, cluster, "capacity");
  const Time a_is_gone = of(result, 0, Kind::master).at(0).end;
  EXPECT_EQ(of(result, 1, Kind::master).at(0).start, a_is_gone);
  EXPECT_EQ(of(result, 2, Kind::master).at(0).start, at_ms(2)) << "it fits beside A's";
  cluster.queues[0].maximum_masters = 0;  // one always runs
  EXPECT_LT(run(workload, cluster, "capacity").jobs[0].finish, at_ms(200));
}

// B waits for A's master, which holds the room that A's map would need: A is to blame, not the policy.
TEST_P(ContainerModel, OfStuckJobsTheOneThatWasAdmittedIsNamed) {
  Cluster cluster = nodes(1, 2048);
  cluster.queues = {{.name = "a", .capacity = 100, .maximum_masters = 0}};
  Workload workload{{job_of("B", {10}, {}, 1), job_of("A", {10}, {})}};
  workload.jobs[1].memory.map = mib(2048);
  for (Job& job : workload.jobs) job.queue = "a";
  EXPECT_THROW((void)run(workload, cluster, "capacity"), NoAnswer);
}

TEST_P(ContainerModel, FairSharesMemory) {
  Cluster cluster = nodes(1, 8192);
  cluster.containers.reduce.memory = mib(2048);
  // With reduces of 2 GiB and maps of 1 GiB both hold 3 GiB and a master.
  Workload workload{{job_of("A", {}, {900, 900, 900, 900}), job_of("B", std::vector<int>(9, 900), {})}};
  const auto result = run(workload, cluster, "fair");
  const auto at_first = [&](JobIndex job, Kind kind) {
    const auto tasks = of(result, job, kind);
    return std::count_if(tasks.begin(), tasks.end(),
                         [](const TaskRecord& t) { return t.start < at_ms(500); });
  };
  EXPECT_EQ(at_first(0, Kind::reduce), 2);
  EXPECT_EQ(at_first(1, Kind::map), 2);
}

TEST_P(ContainerModel, ALostMasterTakesItsTasksWithIt) {
  Cluster cluster = nodes(2, 2048);
  cluster.outages = {{"node1", at_ms(150), at_ms(151)}};
  const auto result = run({{job_of("A", {100, 300, 300}, {})}}, cluster);
  const auto masters = of(result, 0, Kind::master);
  ASSERT_EQ(masters.size(), 2U);
  EXPECT_EQ(masters[0].outcome, AttemptOutcome::lost);
  EXPECT_EQ(masters[1].start, at_ms(150)) << "on the other node";
  EXPECT_EQ(masters[1].attempt, 1U);
  EXPECT_EQ(of(result, 0, Kind::map).size(), 5U) << "the first is done, the two that ran on node2 run again";
  EXPECT_FALSE(result.jobs[0].failed);
}

TEST_P(ContainerModel, AReduceMakesRoomForAMapThatMustRunAgain) {
  Cluster cluster = nodes(1, 3072);
  cluster.nodes.push_back(cluster.nodes.front());
  cluster.nodes.back().memory = mib(1024);
  cluster.mode.slowstart = 0;
  cluster.outages = {{"node2", at_ms(150), {}}};
  // The map runs on node2, two reduces wait on node1 beside the master. At 150 the map's output is gone, and
  // a reduce has still to fetch it.
  const auto result = run({{job_of("A", {100}, {5000, 5000, 5000, 5000})}}, cluster);
  const auto reduces = of(result, 0, Kind::reduce);
  const auto killed = std::count_if(reduces.begin(), reduces.end(), [](const TaskRecord& task) {
    return task.outcome == AttemptOutcome::killed;
  });
  EXPECT_EQ(killed, 1);
  const auto maps = of(result, 0, Kind::map);
  ASSERT_EQ(maps.size(), 2U);
  EXPECT_EQ(maps[1].node, 0U);
  EXPECT_FALSE(result.jobs[0].failed);
}

TEST_P(ContainerModel, MastersThatWaitForEachOtherAreNamed) {
  expect_no_answer({{job_of("A", {10}, {}), job_of("B", {10}, {})}}, nodes(1, 2048),
                   "job 'A' can never be placed");
}

// node1 has room for the master and one more, node2 for one. The map runs on node2 and the first reduce on
// node1, where it is over from 111 on and has its container until 200. With node2 the map's output is lost at
// 130: the master wants room for the map, and there is no reduce to stop for it.
TEST_P(ContainerModel, AReduceThatIsOverIsNotStoppedForAMap) {
  Cluster cluster = nodes(1, 2048);
  cluster.nodes.push_back(cluster.nodes[0]);
  cluster.nodes[1].memory = mib(1024);
  cluster.mode.heartbeat = ms(100);  // node1 at 0, 100 …, node2 at 50, 150 …
  cluster.mode.out_of_band = false;
  cluster.outages = {{"node2", at_ms(130), at_ms(1'000)}};
  const auto result = run({{job_of("A", {10}, {10, 10})}}, cluster);
  const auto maps = of(result, 0, Kind::map), reduces = of(result, 0, Kind::reduce);
  ASSERT_EQ(maps.size(), 2U);
  ASSERT_EQ(reduces.size(), 2U);
  EXPECT_EQ(reduces[0].start, at_ms(100));
  EXPECT_LT(reduces[0].end, at_ms(130));
  EXPECT_EQ(maps[1].start, at_ms(200));
  for (const TaskRecord& task : result.trace) EXPECT_EQ(task.outcome, AttemptOutcome::done);
}

// Under Fair a master that was lost with the only node waits for free cores: it may start when the node is
// back.
TEST_P(ContainerModel, AMasterThatIsLostWithTheOnlyNodeStartsAgainUnderFair) {
  Cluster cluster = nodes(1, 8192);
  cluster.outages = {{"node1", at_ms(50), at_ms(120)}};
  const auto result = run({{job_of("A", {20, 90}, {})}}, cluster, "fair");
  const auto masters = of(result, 0, Kind::master);
  ASSERT_EQ(masters.size(), 2U);
  EXPECT_EQ(masters[0].outcome, AttemptOutcome::lost);
  EXPECT_EQ(masters[1].start, at_ms(120));
}

// Two maps at a time in one container, which is given back when both have ended.
TEST_P(ContainerModel, TasksOfADataParallelJobShareAContainer) {
  Cluster cluster = nodes(1, 2048);  // the master, and one more
  cluster.nodes[0].node_class = "gpu";
  Job job = job_of("A", {10, 4, 6}, {});
  job.classes["gpu"] = {1, 2, 1};
  const auto result = run({{job}}, cluster);
  const auto maps = of(result, 0, Kind::map);
  ASSERT_EQ(maps.size(), 3U);
  EXPECT_EQ(maps[1].start, maps[0].start);
  EXPECT_EQ(maps[1].slot, maps[0].slot);
  EXPECT_LT(maps[1].end, maps[0].end);
  EXPECT_GE(maps[2].start, maps[0].end);
  EXPECT_EQ(result.map_busy, (maps[0].end - maps[0].start) + (maps[2].end - maps[2].start));
  const auto usage = usage_by_node(result, cluster);
  const TaskRecord master = of(result, 0, Kind::master).at(0);
  const Duration of_master = std::min(master.end, Time{} + result.makespan) - master.start;
  EXPECT_NEAR(usage[0].memory_busy, 1.024 * static_cast<double>(to_ms(of_master + result.map_busy)), 1e-9);
}

TEST_P(ContainerModel, AContainerThatFitsNoNodeIsNamed) {
  Workload workload{{job_of("A", {10}, {})}};
  workload.jobs[0].memory.map = mib(4097);
  expect_no_answer(workload, nodes(3, 4096), "a map of job 'A' asks for 4097 MiB: no node has the room");
  Cluster cluster = nodes(3, 8192);
  cluster.limits.max_memory = mib(4096);
  expect_no_answer(workload, cluster, "more than the cluster's largest container of 4096 MiB");
}

TEST_P(ContainerModel, RequestsAreRoundedUpToTheStep) {
  Cluster cluster = nodes(1, 4096);
  cluster.limits.min_memory = mib(1024);
  cluster.containers.map.memory = mib(1025);
  const auto result = run({{job_of("A", {10, 10}, {})}}, cluster);
  EXPECT_EQ(of(result, 0, Kind::map).at(0).memory, 2048U);
  EXPECT_GT(of(result, 0, Kind::map).at(1).start, of(result, 0, Kind::map).at(0).start) << "two do not fit";
}

TEST_P(ContainerModel, PreemptionAndPoolsAreRefusedByName) {
  EXPECT_THROW((void)run({{job_of("A", {10}, {})}}, nodes(1, 4096), "fair(preempt=60s)"), UsageError);
}

INSTANTIATE_TEST_SUITE_P(BothEngines, ContainerModel,
                         ::testing::Values(&simulate_cluster, &simulate_cluster_reference),
                         [](const auto& each) { return each.index == 0 ? "Fast" : "Reference"; });

}  // namespace
}  // namespace wavewright
