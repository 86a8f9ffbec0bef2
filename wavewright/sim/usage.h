// What a simulated cluster was used for, by node and by interval of time, out of the recorded tasks.
//
// A node draws power_idle_w and, in proportion to the part of its slots (or of its memory, with containers)
// that are busy, up to power_busy_w; energy is that power integrated exactly over time. A machine is paid for
// while it is there (cluster/presence.h), up to the makespan.
#pragma once

#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"
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
  NodesOfTasks(const SimulationResult& result, const Cluster& cluster);  // O(nodes)

  [[nodiscard]] NodeIndex operator()(const TaskRecord& task) const;  // O(log nodes)
  // Their names; a cluster of one node that is a flat pool has `pool`.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  bool known_;
  std::vector<std::string> names_;
  std::vector<Count> map_slots_, reduce_slots_;  // before and with each node
};

// `result` must have been recorded with `trace` on `cluster`. O(nodes + tasks).
[[nodiscard]] std::vector<NodeUsage> usage_by_node(const SimulationResult& result, const Cluster& cluster);

// Intervals of `width` (above 0) from time 0 up to the makespan. O(tasks + intervals that tasks touch).
// Throws UsageError on more than a million intervals.
[[nodiscard]] std::vector<IntervalUsage> usage_by_interval(const SimulationResult& result,
                                                           const Cluster& cluster, Duration width);

}  // namespace wavewright
