// Small clusters, and the engines that tests run them on.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {

// So many equal nodes in one rack, with slots.
inline Cluster slot_nodes(Count count, SlotPool slots) {
  NodeGroup group;
  group.count = count;
  group.slots = slots;
  Cluster cluster;
  cluster.nodes.push_back(group);
  return cluster;
}

constexpr Bytes mib(Count count) {
  return Bytes{count << 20};
}

// So many equal nodes with memory. Containers are of 1 GiB each; application masters ask every millisecond.
inline Cluster container_nodes(Count count, Count memory_mb) {
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

// Nodes a1 and a2 of rack /a and b1 of rack /b, one map slot each. A map takes 1.5 times as long in its
// block's rack, and 3 times as long outside of it.
inline Cluster two_racks() {
  Cluster cluster;
  for (const char* name : {"a1", "a2", "b1"}) {
    NodeGroup group;
    group.hosts = {name};
    group.rack = name[0] == 'a' ? "/a" : "/b";
    group.slots = {1, 0};
    cluster.nodes.push_back(group);
  }
  cluster.reads = {Reads::Kind::slowdown, 1.5, 3};
  return cluster;
}

// The attempts of a job's tasks of a kind, in order of start.
inline std::vector<TaskRecord> attempts_of(const SimulationResult& result, JobIndex job, Kind kind) {
  std::vector<TaskRecord> found;
  for (const TaskRecord& task : result.trace) {
    if (task.job == job && task.kind == kind) found.push_back(task);
  }
  return found;
}

using Engine = SimulationResult (*)(const Workload&, Policy&, const ClusterOptions&);

// The fixture of tests that run on each of several engines.
class OnEachEngine : public ::testing::TestWithParam<Engine> {
 protected:
  [[nodiscard]] static SimulationResult run(const Workload& workload, const Cluster& cluster,
                                            const std::string& policy = "fifo") {
    Policy made = make_policy_on(policy, cluster);
    return GetParam()(workload, made, {cluster, 1, true});
  }
};

// The engines of clusters; and with them those of flat pools, which simulate_on takes where a cluster is one.
inline auto cluster_engines() {
  return ::testing::Values(&simulate_cluster, &simulate_cluster_reference);
}
inline auto all_engines() {
  return ::testing::Values(&simulate_cluster, &simulate_cluster_reference, &simulate_on,
                           &simulate_on_reference);
}
inline std::string name_of_engine(const ::testing::TestParamInfo<Engine>& engine) {
  constexpr const char* names[] = {"Fast", "Reference", "FastPool", "ReferencePool"};
  return names[engine.index];
}

}  // namespace wavewright
