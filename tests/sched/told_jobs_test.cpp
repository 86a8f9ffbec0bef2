// A cluster's own scheduler with a plan told to its plug-in, simulated.
#include "wavewright/sched/told_jobs.h"

#include <set>

#include <gtest/gtest.h>

#include "wavewright/sched/policies/capacity.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

Workload two_jobs() {
  Workload workload;
  for (const char* id : {"a", "b"}) {
    Job job;
    job.id = id;
    job.maps.assign(4, ms(10'000));
    job.reduces.assign(2, ms(10'000));
    workload.jobs.push_back(job);
  }
  return workload;
}

SimulationResult run(std::map<std::string, ToldJob> told) {
  ClusterOptions how;
  how.cluster = flat_cluster({4, 2});
  Policy policy{make_told_jobs(make_capacity({}), std::move(told)), nullptr};
  return simulate_on(two_jobs(), policy, how);
}

TEST(ToldJobs, RunInTheOrderThatIsTold) {
  const SimulationResult as_they_come = run({});
  EXPECT_EQ(as_they_come.jobs[0].finish, at_ms(20'000));
  EXPECT_EQ(as_they_come.jobs[1].finish, at_ms(30'000));
  const SimulationResult turned =
      run({{"a", {.map_rank = 1, .reduce_rank = 1}}, {"b", {.map_rank = 0, .reduce_rank = 0}}});
  EXPECT_EQ(turned.jobs[1].finish, at_ms(20'000));
  EXPECT_EQ(turned.jobs[0].finish, at_ms(30'000));
}

TEST(ToldJobs, HoldTheirLimits) {
  const SimulationResult limited = run({{"a", {.maps = 2}}});
  EXPECT_EQ(limited.jobs[0].finish, at_ms(30'000)) << "two maps at once, then the reduces";
  EXPECT_LT(limited.jobs[1].start, at_ms(10'000)) << "the others are for the next job";
}

// Each class has two map slots and a reduce slot, and those of `fast` are four times as fast.
TEST(ToldJobs, KeepOffClasses) {
  const auto run_kept = [](std::map<std::string, ToldJob> told) {
    ClusterOptions how;
    NodeGroup group;
    group.slots = {2, 1};
    group.node_class = "slow";
    how.cluster.nodes.push_back(group);
    group.node_class = "fast";
    group.speed = 4;
    how.cluster.nodes.push_back(group);
    how.trace = true;
    Policy policy{make_told_jobs(make_capacity({}), std::move(told)), nullptr};
    return simulate_on(two_jobs(), policy, how);
  };
  const auto nodes_of = [](const SimulationResult& result, JobIndex job, Kind kind) {
    std::set<NodeIndex> nodes;
    for (const TaskRecord& record : result.trace) {
      if (record.job == job && record.kind == kind) nodes.insert(record.node);
    }
    return nodes;
  };
  const SimulationResult anywhere = run_kept({});
  EXPECT_EQ(nodes_of(anywhere, 0, Kind::map).size(), 2U) << "else the next lines say nothing";
  const SimulationResult kept =
      run_kept({{"a", {.no_maps = {"fast"}, .no_reduces = {"slow"}}}, {"b", {.no_maps = {"slow"}}}});
  EXPECT_EQ(nodes_of(kept, 0, Kind::map), std::set<NodeIndex>{0});
  EXPECT_EQ(nodes_of(kept, 0, Kind::reduce), std::set<NodeIndex>{1});
  EXPECT_EQ(nodes_of(kept, 1, Kind::map), std::set<NodeIndex>{1});
  EXPECT_EQ(kept.jobs[0].maps_done, at_ms(20'000)) << "two waves on two slow slots";
}

}  // namespace
}  // namespace wavewright
