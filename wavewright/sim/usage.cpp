#include "wavewright/sim/usage.h"

#include <algorithm>

#include "wavewright/cluster/presence.h"
#include "wavewright/cluster/topology.h"
#include "wavewright/core/error.h"
#include "wavewright/sim/slot_time.h"

namespace wavewright {

namespace {

constexpr double ms_per_second = 1000;

// What a task adds to the power that its idle node draws: its part of the node's slots, or of its memory.
double watts_of(const TaskRecord& task, const NodeGroup& group, bool containers) {
  const Count whole =
      containers ? group.memory.count >> 20 : group.slots.map_slots + group.slots.reduce_slots;
  const Count taken = containers ? Count{task.memory} : 1;
  if (whole == 0) return 0;
  return (group.power_busy_w - group.power_idle_w) * static_cast<double>(taken) / static_cast<double>(whole);
}

// The row of the cluster's nodes that each node belongs to; of a flat pool the one row there is.
std::vector<std::size_t> rows_of(const Cluster& cluster) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < cluster.nodes.size(); ++row) {
    rows.insert(rows.end(), static_cast<std::size_t>(cluster.nodes[row].count), row);
  }
  return rows;
}

// Of all nodes that are there, without work, J.
double idle_energy(const Cluster& cluster, Time from, Time to) {
  double energy = 0;
  for (const NodeGroup& group : cluster.nodes) {
    energy += static_cast<double>(group.count) * group.power_idle_w *
              static_cast<double>(to_ms(time_there(group, from, to))) / ms_per_second;
  }
  return energy;
}

// Of all nodes, up to `end`, USD.
double cost_until(const Cluster& cluster, Time end) {
  double cost = 0;
  for (const NodeGroup& group : cluster.nodes) {
    if (group.price_per_hour == 0 && group.spot.empty()) continue;
    cost += static_cast<double>(group.count) * cost_of(group, end);
  }
  return cost;
}

// Counts the map where it started.
void count_place(IntervalUsage& interval, Locality locality) {
  ++(locality == Locality::node   ? interval.node_local
     : locality == Locality::rack ? interval.rack_local
                                  : interval.off_rack);
}

// The time that the task adds to its slot's, or its container's. Masters of the last jobs end after the
// makespan, up to which is looked.
struct Added {
  Time from{};
  Time to{};
};
Added added(const TaskRecord& task, const SimulationResult& result, SlotTime& time) {
  const Time from = time.adds_from(task);
  return {from, std::clamp(task.end, from, std::max(from, Time{} + result.makespan))};
}

// Adds to every interval that the span touches what falls into it.
template <class Add>
void spread(std::vector<IntervalUsage>& intervals, Duration width, Time start, Time end, Add add) {
  if (end <= start) return;
  auto at = static_cast<std::size_t>((start - Time{}) / width);
  for (; at < intervals.size() && intervals[at].from < end; ++at) {
    add(intervals[at], std::min(end, intervals[at].to) - std::max(start, intervals[at].from));
  }
}

}  // namespace

NodesOfTasks::NodesOfTasks(const SimulationResult& result, const Cluster& cluster)
    : known_(!result.nodes.empty()), names_(result.nodes) {
  if (known_) return;
  const Topology topology = expand(cluster);
  names_ = topology.names;
  if (names_.size() == 1 && cluster.nodes.front().hosts.empty()) names_ = {"pool"};
  Count maps = 0, reduces = 0;
  for (const std::uint32_t group : topology.group) {
    map_slots_.push_back(maps += cluster.nodes[group].slots.map_slots);
    reduce_slots_.push_back(reduces += cluster.nodes[group].slots.reduce_slots);
  }
}

NodeIndex NodesOfTasks::operator()(const TaskRecord& task) const {
  if (known_) return task.node;
  const std::vector<Count>& slots = task.kind == Kind::reduce ? reduce_slots_ : map_slots_;
  return static_cast<NodeIndex>(std::upper_bound(slots.begin(), slots.end(), Count{task.slot}) -
                                slots.begin());
}

std::vector<NodeUsage> usage_by_node(const SimulationResult& result, const Cluster& cluster) {
  const std::vector<std::size_t> rows = rows_of(cluster);
  const bool containers = cluster.mode.kind == ClusterMode::Kind::containers;
  const NodesOfTasks node_of(result, cluster);
  SlotTime time;
  std::vector<NodeUsage> usage(rows.size());
  for (const TaskRecord& task : result.trace) {
    const NodeIndex at = node_of(task);
    NodeUsage& node = usage.at(at);
    const auto [from, to] = added(task, result, time);
    const Duration busy = to - from;
    const double seconds = static_cast<double>(to_ms(busy)) / ms_per_second;
    (task.kind == Kind::master ? node.masters : task.kind == Kind::map ? node.maps : node.reduces) += 1;
    if (task.kind != Kind::master) (task.kind == Kind::map ? node.map_busy : node.reduce_busy) += busy;
    node.memory_busy += task.memory * seconds;
    node.energy_j += watts_of(task, cluster.nodes[rows[at]], containers) * seconds;
  }
  for (std::size_t i = 0; i < usage.size(); ++i) {
    const NodeGroup& group = cluster.nodes[rows[i]];
    usage[i].node = static_cast<NodeIndex>(i);
    const Duration there = time_there(group, Time{}, Time{} + result.makespan);
    usage[i].energy_j += group.power_idle_w * static_cast<double>(to_ms(there)) / ms_per_second;
    usage[i].cost_usd = cost_of(group, Time{} + result.makespan);
  }
  return usage;
}

std::vector<IntervalUsage> usage_by_interval(const SimulationResult& result, const Cluster& cluster,
                                             Duration width) {
  constexpr std::int64_t most = 1'000'000;
  if (width <= Duration{}) throw UsageError("an interval of no time", "give one like 60s");
  const std::int64_t count = (result.makespan + width - ms(1)) / width;
  if (count > most) throw UsageError("more than a million intervals", "give longer ones");
  const std::vector<std::size_t> rows = rows_of(cluster);
  std::vector<IntervalUsage> intervals(static_cast<std::size_t>(count));
  double spent = 0;
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    intervals[i].from = Time{} + width * static_cast<std::int64_t>(i);
    intervals[i].to = std::min(intervals[i].from + width, Time{} + result.makespan);
    intervals[i].energy_j = idle_energy(cluster, intervals[i].from, intervals[i].to);
    const double until = cost_until(cluster, intervals[i].to);
    intervals[i].cost_usd = std::max(0.0, until - spent);
    spent = until;
  }
  const auto at = [&](Time time) {
    return std::min(static_cast<std::size_t>((time - Time{}) / width), intervals.size() - 1);
  };
  const NodesOfTasks node_of(result, cluster);
  const bool places = cluster.reads.kind != Reads::Kind::anywhere;
  const bool containers = cluster.mode.kind == ClusterMode::Kind::containers;
  SlotTime time;
  for (const TaskRecord& task : result.trace) {
    const double watts = watts_of(task, cluster.nodes[rows.at(node_of(task))], containers);
    const auto add = [&](IntervalUsage& interval, Duration part) {
      const double seconds = static_cast<double>(to_ms(part)) / ms_per_second;
      if (task.kind != Kind::master)
        (task.kind == Kind::map ? interval.map_busy : interval.reduce_busy) += part;
      interval.memory_busy += task.memory * seconds;
      interval.energy_j += watts * seconds;
    };
    const auto [from, to] = added(task, result, time);
    spread(intervals, width, from, to, add);
    if (places && task.kind == Kind::map && !intervals.empty())
      count_place(intervals[at(task.start)], task.locality);
  }
  // Counts at the intervals' ends: what came in less what went out, summed up.
  std::vector<Count> started(intervals.size());
  for (const JobOutcome& job : result.jobs) {
    if (job.rejected || intervals.empty()) continue;
    // Of a simulation that was stopped: what had not been submitted; what had neither started nor ended.
    if (job.unfinished && job.submit >= Time{} + result.makespan) continue;
    ++intervals[at(job.submit)].arrived;
    if (!job.unfinished || job.start < job.finish) ++started[at(job.start)];
    if (!job.unfinished) ++intervals[at(job.finish)].finished;
  }
  Count arrived = 0, begun = 0, finished = 0;
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    arrived += intervals[i].arrived;
    begun += started[i];
    finished += intervals[i].finished;
    intervals[i].waiting = arrived - begun;
    intervals[i].running = begun - finished;
  }
  return intervals;
}

}  // namespace wavewright
