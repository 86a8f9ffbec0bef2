// Use of a simulated cluster, by node and by time interval, from its tasks: from a trace or as they end.
//
// Energy is that of sim/metrics/energy.h. A machine is paid for while it is present (cluster/presence.h), up
// to the makespan.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"
#include "wavewright/sim/metrics/energy.h"
#include "wavewright/sim/metrics/slot_time.h"
#include "wavewright/sim/result.h"

namespace wavewright {

struct NodeUsage {
  NodeIndex node = 0;
  Count maps = 0;  // attempts that ran there
  Count reduces = 0;
  Count masters = 0;    // application masters
  Duration map_busy{};  // slot time
  Duration reduce_busy{};
  double memory_busy = 0;  // containers: MiB · s
  double energy_j = 0;
  double cost_usd = 0;
};

// Of all nodes.
struct UsageTotals {
  double energy_j = 0;
  double cost_usd = 0;
};
[[nodiscard]] UsageTotals totals_of(const std::vector<NodeUsage>& nodes);

// Does the cluster file tell the nodes' price?
[[nodiscard]] bool knows_prices(const Cluster& cluster);

struct IntervalUsage {
  Time from{};
  Time to{};
  Duration map_busy{};  // slot time within the interval
  Duration reduce_busy{};
  double memory_busy = 0;  // containers: MiB · s within the interval
  Count arrived = 0;       // jobs submitted in [from, to)
  Count finished = 0;      // jobs finished in [from, to); at the makespan in the last one
  Count waiting = 0;       // jobs at `to`: submitted, not started
  Count running = 0;       // jobs at `to`: started, not finished
  double energy_j = 0;
  double cost_usd = 0;
  Count node_local = 0;  // maps started in [from, to), by locality; 0 without block places
  Count rack_local = 0;
  Count off_rack = 0;
};

// Finds the node of a task. A flat pool's result has no nodes: its slots are those of the cluster, in order.
class NodesOfTasks {
 public:
  // `nodes` as in SimulationResult. O(nodes).
  NodesOfTasks(const std::vector<std::string>& nodes, const Cluster& cluster);

  [[nodiscard]] NodeIndex operator()(const TaskRecord& task) const;  // O(log nodes)
  // Names of the nodes; `pool` for a flat pool of one unnamed node.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  bool known_;
  std::vector<std::string> names_;
  std::vector<Count> map_slots_, reduce_slots_;  // cumulative, with each node
};

// Adds up what tasks use, one by one during a simulation, so that none is kept.
class UsageSums : public TaskSink {
 public:
  // `workload`: for the jobs' own powers; may be null, must outlive the sums. `width`: of intervals of
  // energy.
  UsageSums(const Cluster& cluster, const Workload* workload, std::optional<Duration> width);
  void begin(const std::vector<std::string>& nodes) final { node_of_.emplace(nodes, cluster_); }
  void add(const TaskRecord& task) final;  // in order of start, or of end

 protected:
  // Adds the task's use of its node from `from` to `to`. Calls for masters come late.
  virtual void use(const TaskRecord& task, NodeIndex node, Time from, Time to) = 0;
  // Adds the masters that remain, cut at the makespan: those of the last jobs end after it.
  void end_at(Time makespan);
  // The node's row of Cluster::nodes.
  [[nodiscard]] const NodeGroup& group_of(NodeIndex node) const { return cluster_.nodes[rows_.at(node)]; }
  // Of all tasks added; none where the cluster file tells no power. Call once, after end_at.
  [[nodiscard]] std::optional<RunEnergy> finish_energy(const SimulationResult& result);

  Cluster cluster_;
  std::vector<std::size_t> rows_;  // by node

 private:
  struct Late {
    TaskRecord task;
    Time from{};
  };
  void pass_on(const TaskRecord& task, Time from, Time to);

  std::optional<NodesOfTasks> node_of_;
  std::optional<EnergyMeter> meter_;
  SlotTime time_;
  Time latest_{};          // latest end of a map or reduce: the makespan is no earlier
  std::deque<Late> late_;  // masters that ended later
};

class NodeUsageSums final : public UsageSums {
 public:
  explicit NodeUsageSums(const Cluster& cluster, const Workload* workload = nullptr);
  // Call after all tasks are added. `result`: of the simulation. O(nodes + leases) + EnergyMeter::finish.
  [[nodiscard]] std::vector<NodeUsage> finish(const SimulationResult& result);
  // After `finish`; none where the cluster file tells no power.
  [[nodiscard]] const std::optional<RunEnergy>& energy() const { return energy_; }

 private:
  void use(const TaskRecord& task, NodeIndex at, Time from, Time to) override;

  std::vector<NodeUsage> usage_;
  std::optional<RunEnergy> energy_;
};

// Intervals of `width` from time 0 up to the makespan.
class IntervalUsageSums final : public UsageSums {
 public:
  // Throws UsageError if `width` is not above 0.
  IntervalUsageSums(const Cluster& cluster, Duration width, const Workload* workload = nullptr);
  // Call after all tasks are added. Throws UsageError for more than a million intervals, as `add` does.
  // O(intervals · (node rows + leases) + jobs).
  [[nodiscard]] std::vector<IntervalUsage> finish(const SimulationResult& result);

 private:
  void use(const TaskRecord& task, NodeIndex node, Time from, Time to) override;
  [[nodiscard]] IntervalUsage& at(Time time);
  void close(Time makespan, const std::vector<Lease>& leases);
  void count_jobs(const SimulationResult& result);

  Duration width_;
  std::vector<IntervalUsage> intervals_;
};

// `result` must have its `trace` and come from `cluster`. O(nodes + tasks).
[[nodiscard]] std::vector<NodeUsage> usage_by_node(const SimulationResult& result, const Cluster& cluster,
                                                   const Workload* workload = nullptr);
// O(tasks + intervals that tasks touch). Throws as IntervalUsageSums.
[[nodiscard]] std::vector<IntervalUsage> usage_by_interval(const SimulationResult& result,
                                                           const Cluster& cluster, Duration width,
                                                           const Workload* workload = nullptr);
// Likewise; none where the cluster file tells no power.
[[nodiscard]] std::optional<RunEnergy> energy_of_run(const SimulationResult& result, const Cluster& cluster,
                                                     const Workload* workload = nullptr);

}  // namespace wavewright
