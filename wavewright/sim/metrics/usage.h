// What a simulated cluster was used for, by node and by interval of time, out of its tasks: those that were
// recorded, or one by one as they end.
//
// A node draws power_idle_w and, in proportion to the part of its slots (or of its memory, with containers)
// that are busy, up to power_busy_w; energy is that power integrated exactly over time. A machine is paid for
// while it is there (cluster/presence.h), up to the makespan.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"
#include "wavewright/sim/metrics/slot_time.h"
#include "wavewright/sim/result.h"

namespace wavewright {

struct NodeUsage {
  NodeIndex node = 0;
  Count maps = 0;  // tasks that ran there
  Count reduces = 0;
  Count masters = 0;    // application masters
  Duration map_busy{};  // slot time
  Duration reduce_busy{};
  double memory_busy = 0;  // of containers, MiB · s
  double energy_j = 0;
  double cost_usd = 0;
};

struct IntervalUsage {
  Time from{};
  Time to{};
  Duration map_busy{};  // slot time within the interval
  Duration reduce_busy{};
  double memory_busy = 0;  // of containers within the interval, MiB · s
  Count arrived = 0;       // jobs submitted in [from, to)
  Count finished = 0;      // jobs finished in [from, to); at the makespan in the last one
  Count waiting = 0;       // jobs at `to`: submitted, nothing of them started
  Count running = 0;       // jobs at `to`: started, not finished
  double energy_j = 0;
  double cost_usd = 0;
  Count node_local = 0;  // maps started in [from, to), by where their block lay; 0 where no places are known
  Count rack_local = 0;
  Count off_rack = 0;
};

// Which node ran what. A flat pool's result knows no nodes: its slots are those of the cluster's, in order.
class NodesOfTasks {
 public:
  // `nodes` as in SimulationResult. O(nodes).
  NodesOfTasks(const std::vector<std::string>& nodes, const Cluster& cluster);

  [[nodiscard]] NodeIndex operator()(const TaskRecord& task) const;  // O(log nodes)
  // Their names; a cluster of one node that is a flat pool has `pool`.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  bool known_;
  std::vector<std::string> names_;
  std::vector<Count> map_slots_, reduce_slots_;  // before and with each node
};

// Sums up what tasks use, one by one as a simulation tells of them, so that none is kept.
class UsageSums : public TaskSink {
 public:
  explicit UsageSums(const Cluster& cluster);
  void begin(const std::vector<std::string>& nodes) final { node_of_.emplace(nodes, cluster_); }
  void add(const TaskRecord& task) final;  // in order of start, or of end

 protected:
  // What the task adds to the use of its node, from then to then; those of masters come late.
  virtual void use(const TaskRecord& task, NodeIndex node, Time from, Time to) = 0;
  // Masters of the last jobs end after the makespan, up to which is looked.
  void end_at(Time makespan);
  // The row of the cluster's nodes that the node belongs to.
  [[nodiscard]] const NodeGroup& group_of(NodeIndex node) const { return cluster_.nodes[rows_.at(node)]; }
  // What a task that takes so much memory adds to the power that its idle node draws, W.
  [[nodiscard]] double watts(NodeIndex node, std::uint32_t memory) const;

  Cluster cluster_;
  std::vector<std::size_t> rows_;  // by node

 private:
  struct Late {
    TaskRecord task;
    Time from{};
  };
  std::optional<NodesOfTasks> node_of_;
  SlotTime time_;
  Time latest_{};          // end of a map or reduce: the makespan is no earlier
  std::deque<Late> late_;  // masters that ended later
};

class NodeUsageSums final : public UsageSums {
 public:
  explicit NodeUsageSums(const Cluster& cluster);
  // Once all tasks are added. `result`: of the simulation. O(nodes).
  [[nodiscard]] std::vector<NodeUsage> finish(const SimulationResult& result);

 private:
  void use(const TaskRecord& task, NodeIndex at, Time from, Time to) override;

  std::vector<NodeUsage> usage_;
};

// Intervals of `width` from time 0 up to the makespan.
class IntervalUsageSums final : public UsageSums {
 public:
  // Throws UsageError where `width` is not above 0.
  IntervalUsageSums(const Cluster& cluster, Duration width);
  // Once all tasks are added, which throws UsageError on more than a million intervals as this does.
  // O(intervals + jobs).
  [[nodiscard]] std::vector<IntervalUsage> finish(const SimulationResult& result);

 private:
  void use(const TaskRecord& task, NodeIndex node, Time from, Time to) override;
  [[nodiscard]] IntervalUsage& at(Time time);
  void close(Time makespan, const std::vector<Lease>& leases);
  void count_jobs(const SimulationResult& result);

  Duration width_;
  std::vector<IntervalUsage> intervals_;
};

// Of a result that was recorded with `trace` on `cluster`. O(nodes + tasks).
[[nodiscard]] std::vector<NodeUsage> usage_by_node(const SimulationResult& result, const Cluster& cluster);
// O(tasks + intervals that tasks touch). Throws as IntervalUsageSums.
[[nodiscard]] std::vector<IntervalUsage> usage_by_interval(const SimulationResult& result,
                                                           const Cluster& cluster, Duration width);

}  // namespace wavewright
