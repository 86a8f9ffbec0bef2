// What was used adds up, however it is cut; and a job's time is explained to the last millisecond.
#include "wavewright/sim/metrics/usage.h"

#include <filesystem>
#include <fstream>
#include <tuple>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/property.h"
#include "tests/sim/cluster_worlds.h"
#include "tests/temporary_folder.h"
#include "wavewright/core/error.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/metrics/explain.h"
#include "wavewright/sim/output/usage_file.h"

namespace wavewright {
namespace {

struct World {
  Workload workload;
  Cluster cluster;
  SimulationResult result;
};

World some_world() {
  World world{worlds::some_dependent_workload(), worlds::some_faulty_cluster(), {}};
  for (NodeGroup& group : world.cluster.nodes) {
    group.power_idle_w = *rc::gen::inRange(0, 100);
    group.price_per_hour = *rc::gen::inRange(0, 5);
    group.power_busy_w = group.power_idle_w + *rc::gen::inRange(0, 100);
  }
  Policy policy = make_policy(*rc::gen::element<std::string>("fifo", "fair"));
  world.result = simulate_cluster(world.workload, policy, {world.cluster, 1, true});
  return world;
}

TEST(Usage, AddsUpOverNodesAndOverIntervals) {
  holds_always([] {
    const World world = some_world();
    Duration node_maps{}, node_reduces{}, maps{}, reduces{};
    double node_energy = 0, energy = 0, node_cost = 0, cost = 0;
    Count map_attempts = 0, places = 0;
    for (const NodeUsage& node : usage_by_node(world.result, world.cluster)) {
      node_maps += node.map_busy;
      node_reduces += node.reduce_busy;
      node_energy += node.energy_j;
      node_cost += node.cost_usd;
      map_attempts += node.maps;
    }
    const auto intervals = usage_by_interval(world.result, world.cluster, ms(*rc::gen::inRange(1, 50)));
    Count arrived = 0, finished = 0;
    for (const IntervalUsage& each : intervals) {
      maps += each.map_busy;
      reduces += each.reduce_busy;
      energy += each.energy_j;
      cost += each.cost_usd;
      places += each.node_local + each.rack_local + each.off_rack;
      arrived += each.arrived;
      finished += each.finished;
      RC_ASSERT(each.waiting >= 0);
      RC_ASSERT(each.running >= 0);
    }
    RC_ASSERT(node_maps == world.result.map_busy);
    RC_ASSERT(node_reduces == world.result.reduce_busy);
    RC_ASSERT(maps == world.result.map_busy);
    RC_ASSERT(reduces == world.result.reduce_busy);
    RC_ASSERT(std::abs(energy - node_energy) <= 1e-9 * (1 + energy));
    RC_ASSERT(std::abs(cost - node_cost) <= 1e-9 * (1 + cost));
    if (!intervals.empty()) {  // something took time
      RC_ASSERT(places == (world.cluster.reads.kind == Reads::Kind::anywhere ? 0 : map_attempts));
      const auto& jobs = world.result.jobs;
      RC_ASSERT(arrived ==
                std::count_if(jobs.begin(), jobs.end(), [](const JobOutcome& job) { return !job.rejected; }));
      RC_ASSERT(finished == arrived);
      RC_ASSERT(intervals.back().running == 0);
    }
  });
}

// As tasks end, and with masters that end after the makespan.
TEST(Usage, IsTheSameSummedUpWhileTheSimulationGoesOn) {
  holds_always([] {
    const Workload workload = worlds::some_dependent_workload();
    Cluster cluster = worlds::some_faulty_cluster();
    if (*rc::gen::arbitrary<bool>()) worlds::give_out_containers(cluster);
    cluster.nodes[0].power_busy_w = 50;
    const Duration width = ms(*rc::gen::inRange(1, 50));
    NodeUsageSums nodes(cluster);
    IntervalUsageSums intervals(cluster, width);
    const auto run = [&](bool trace, TaskSink* sink) {
      Policy policy = make_policy("fair", {{}, true});
      return worlds::unless_stuck([&] {
        return simulate_cluster(workload, policy, {.cluster = cluster, .trace = trace, .sink = sink});
      });
    };
    const SimulationResult kept = run(true, nullptr);
    const auto expect_near = [](double a, double b) { RC_ASSERT(std::abs(a - b) <= 1e-9 * (1 + b)); };
    (void)run(false, &nodes);
    const auto streamed = nodes.finish(kept), summed = usage_by_node(kept, cluster);
    for (std::size_t i = 0; i < summed.size(); ++i) {
      RC_ASSERT(streamed[i].map_busy == summed[i].map_busy);
      RC_ASSERT(streamed[i].reduce_busy == summed[i].reduce_busy);
      RC_ASSERT(streamed[i].masters == summed[i].masters);
      expect_near(streamed[i].memory_busy, summed[i].memory_busy);
      expect_near(streamed[i].energy_j, summed[i].energy_j);
    }
    (void)run(false, &intervals);
    const auto over_time = intervals.finish(kept), expected = usage_by_interval(kept, cluster, width);
    RC_ASSERT(over_time.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      RC_ASSERT(over_time[i].map_busy == expected[i].map_busy);
      RC_ASSERT(over_time[i].node_local == expected[i].node_local);
      RC_ASSERT(over_time[i].running == expected[i].running);
      expect_near(over_time[i].memory_busy, expected[i].memory_busy);
      expect_near(over_time[i].energy_j, expected[i].energy_j);
    }
  });
}

Job job_of(const char* id, std::vector<Duration> maps, Time submit = {}) {
  Job job;
  job.id = id;
  job.submit = submit;
  job.maps = std::move(maps);
  return job;
}

TEST(Usage, IntegratesPowerExactly) {
  Cluster cluster = flat_cluster({2, 2});
  cluster.nodes[0].power_idle_w = 100;
  cluster.nodes[0].power_busy_w = 180;
  cluster.nodes[0].price_per_hour = 3.6;
  const Workload workload{{job_of("A", {ms(1000), ms(3000)})}};
  Policy policy = make_policy("fifo");
  const auto result = simulate_cluster(workload, policy, {cluster, 1, true});
  const auto nodes = usage_by_node(result, cluster);
  EXPECT_DOUBLE_EQ(nodes[0].energy_j, 100 * 3 + 20 * (1 + 3));
  EXPECT_DOUBLE_EQ(nodes[0].cost_usd, 0.003);
  const auto intervals = usage_by_interval(result, cluster, ms(2000));
  ASSERT_EQ(intervals.size(), 2U);
  EXPECT_DOUBLE_EQ(intervals[0].energy_j, 200 + 20 + 40);
  EXPECT_EQ(intervals[1].to, at_ms(3000));
  EXPECT_THROW((void)usage_by_interval(result, cluster, ms(0)), UsageError);
}

// The last interval also has the maps that start when everything ends, wherever their blocks lie.
TEST(Usage, CountsTheMapsOfTheVeryEnd) {
  Cluster cluster = flat_cluster({1, 1});
  cluster.reads.kind = Reads::Kind::slowdown;
  SimulationResult result;
  result.makespan = ms(10);
  result.trace.push_back({.job = 0, .start = at_ms(0), .end = at_ms(10), .locality = Locality::node});
  for (const Locality locality : {Locality::node, Locality::rack, Locality::off_rack})
    result.trace.push_back({.job = 0, .start = at_ms(10), .end = at_ms(10), .locality = locality});
  const auto intervals = usage_by_interval(result, cluster, ms(5));
  ASSERT_EQ(intervals.size(), 2U);
  EXPECT_EQ(intervals[0].node_local, 1);
  EXPECT_EQ(intervals[1].node_local, 1);
  EXPECT_EQ(intervals[1].rack_local, 1);
  EXPECT_EQ(intervals[1].off_rack, 1);
}

// One of the three reduce slots works in the first second, the only map slot half of it.
TEST(UsageFile, GivesTheShareOfEachKindOfSlots) {
  const Cluster cluster = flat_cluster({1, 3});
  IntervalUsage first;
  first.to = at_ms(1000);
  first.map_busy = ms(500);
  first.reduce_busy = ms(1000);
  NodeUsage node;
  node.map_busy = ms(500);
  node.reduce_busy = ms(1500);
  SimulationResult result;
  result.makespan = ms(1000);
  const TemporaryFolder folder;
  const auto path = folder.path() / "usage.csv";
  const auto second_line = [&] {
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);
    std::getline(in, line);
    return line;
  };
  write_interval_usage(path, {first}, cluster);
  EXPECT_THAT(second_line(), testing::StartsWith("0,1000,500,1000,0,0.5,0.3333"));
  write_node_usage(path, {node}, result, cluster);
  EXPECT_THAT(second_line(), testing::HasSubstr(",500,1500,0,0.5,0.5,"));
}

TEST(Usage, AFlatPoolsTasksRanOnTheNodesWhoseSlotsTheyTook) {
  Cluster cluster;
  cluster.nodes.resize(1);
  cluster.nodes[0].count = 3;
  cluster.nodes[0].slots = {2, 1};
  Workload workload{{job_of("A", std::vector<Duration>(5, ms(1000)))}};
  workload.jobs[0].reduces = {ms(500), ms(500)};
  Policy policy = make_policy("fifo");
  const auto result = simulate_on(workload, policy, {cluster, 1, true});
  const auto nodes = usage_by_node(result, cluster);
  EXPECT_EQ(NodesOfTasks(result.nodes, cluster).names(),
            (std::vector<std::string>{"node1", "node2", "node3"}));
  for (const auto& [node, maps, reduces] : {std::tuple(0U, 2, 1), {1U, 2, 1}, {2U, 1, 0}}) {
    EXPECT_EQ(nodes[node].maps, maps) << node;
    EXPECT_EQ(nodes[node].reduces, reduces) << node;
  }
}

TEST(Explanation, PartsAddUpToTheJobsTime) {
  holds_always([] {
    const World world = some_world();
    for (JobIndex job = 0; job < world.workload.jobs.size(); ++job) {
      if (world.result.jobs[job].failed || world.result.jobs[job].rejected) continue;
      Duration sum{};
      for (const TimePart& part : explain(world.result, world.workload, world.cluster, job).parts) {
        RC_ASSERT(part.time > Duration{});
        sum += part.time;
      }
      RC_ASSERT(sum == world.result.jobs[job].finish - world.workload.jobs[job].submit);
    }
  });
}

TEST(Explanation, KnowsSetupAndCommitOfJobsWithSlots) {
  Cluster cluster = flat_cluster({1, 1});
  cluster.masters.start = ms(50);
  cluster.masters.finish = ms(20);
  Workload workload{{job_of("A", {ms(100)}), job_of("B", {ms(30)}, at_ms(10))}};
  workload.jobs[1].after = {"A"};
  Policy policy = make_policy("fifo");
  const auto result = simulate_cluster(workload, policy, {cluster, 1, true});
  EXPECT_EQ(result.jobs[0].finish, at_ms(170));
  EXPECT_EQ(result.jobs[1].finish, at_ms(170 + 50 + 30 + 20)) << "set up once A is done and committed";
  using What = TimePart::What;
  const std::vector<std::pair<What, int>> expected = {
      {What::predecessors, 160}, {What::setup, 50}, {What::map_work, 30}, {What::commit, 20}};
  const Explanation found = explain(result, workload, cluster, 1);
  ASSERT_EQ(found.parts.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(found.parts[i].what, expected[i].first) << i;
    EXPECT_EQ(found.parts[i].time, ms(expected[i].second)) << i;
  }
}

TEST(Explanation, NamesTheProcessorsThatAJobShared) {
  Cluster cluster = flat_cluster({2, 1});
  cluster.launches = {ms(5), {}, 1, true};
  Workload workload{{job_of("A", {ms(30), ms(30)})}};
  workload.jobs[0].processor_bound = true;
  Policy policy = make_policy("fifo");
  const auto result = simulate_cluster(workload, policy, {cluster, 1, true});
  const Explanation found = explain(result, workload, cluster, 0);
  ASSERT_EQ(found.parts.size(), 2U);
  EXPECT_EQ(found.parts[0].what, TimePart::What::processors);
  EXPECT_EQ(found.parts[0].time, ms(40))
      << "its launch, and those of the other map's 35 ms that were before its end";
  EXPECT_EQ(found.parts[1].what, TimePart::What::map_work);
  EXPECT_EQ(found.parts[1].time, ms(30));
}

TEST(Explanation, NamesWhatAJobWaitedFor) {
  Cluster cluster = flat_cluster({1, 1});
  cluster.mode.launch = ms(5);
  Workload workload{{job_of("A", {ms(100)}), job_of("B", {ms(20), ms(30)}, at_ms(10))}};
  workload.jobs[1].reduces = {ms(40)};
  workload.jobs[1].first_shuffles = {ms(7)};
  Policy policy = make_policy("fifo");
  const auto result = simulate_cluster(workload, policy, {cluster, 1, true});
  const Explanation found = explain(result, workload, cluster, 1);
  using What = TimePart::What;
  const std::vector<std::pair<What, int>> expected = {
      {What::first_slot, 95}, {What::map_waves, 25}, {What::launch, 5},      {What::map_work, 30},
      {What::launch, 5},      {What::shuffle, 7},    {What::reduce_work, 40}};
  ASSERT_EQ(found.parts.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(found.parts[i].what, expected[i].first) << i;
    EXPECT_EQ(found.parts[i].time, ms(expected[i].second)) << i;
  }
  EXPECT_EQ(found.map, 1U);
  EXPECT_EQ(found.reduce, 0U);
}

TEST(Explanation, NamesWhatCameOverTheNetwork) {
  Cluster cluster = flat_cluster({0, 0});
  cluster.nodes.push_back(cluster.nodes[0]);
  cluster.nodes[1].slots = {1, 1};
  cluster.reads.kind = Reads::Kind::network;
  cluster.network.card_mbps = 0.064;  // 8 bytes a ms
  cluster.network.shuffle = true;
  Workload workload{{job_of("A", {ms(5)})}};
  workload.jobs[0].reduces = {ms(3)};
  workload.jobs[0].input = Bytes{80};
  workload.jobs[0].shuffled = Bytes{80};  // half of it from the other node
  workload.jobs[0].splits.emplace_back().emplace_back("node1");
  Policy policy = make_policy("fifo");
  const auto result = simulate_cluster(workload, policy, {.cluster = cluster, .trace = true});
  using What = TimePart::What;
  const std::vector<std::pair<What, int>> expected = {
      {What::map_work, 5}, {What::distance, 5}, {What::shuffle, 5}, {What::reduce_work, 3}};
  const Explanation found = explain(result, workload, cluster, 0);
  ASSERT_EQ(found.parts.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(found.parts[i].what, expected[i].first) << i;
    EXPECT_EQ(found.parts[i].time, ms(expected[i].second)) << i;
  }
}

}  // namespace
}  // namespace wavewright
