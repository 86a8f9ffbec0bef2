#include "wavewright/sim/usage.h"

#include <algorithm>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

constexpr double ms_per_second = 1000;
constexpr double ms_per_hour = 3'600'000;

// What one busy slot of a node adds to the power that the idle node draws.
double watts_a_slot(const NodeGroup& group) {
  const Count slots = group.slots.map_slots + group.slots.reduce_slots;
  return slots == 0 ? 0 : (group.power_busy_w - group.power_idle_w) / static_cast<double>(slots);
}

// The row of the cluster's nodes that each node belongs to; of a flat pool the one row there is.
std::vector<std::size_t> rows_of(const Cluster& cluster) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < cluster.nodes.size(); ++row) {
    rows.insert(rows.end(), static_cast<std::size_t>(cluster.nodes[row].count), row);
  }
  return rows;
}

double idle_watts(const Cluster& cluster) {
  double watts = 0;
  for (const NodeGroup& group : cluster.nodes) watts += static_cast<double>(group.count) * group.power_idle_w;
  return watts;
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

std::vector<NodeUsage> usage_by_node(const SimulationResult& result, const Cluster& cluster) {
  const std::vector<std::size_t> rows = rows_of(cluster);
  std::vector<NodeUsage> usage(rows.size());
  for (const TaskRecord& task : result.trace) {
    NodeUsage& node = usage.at(task.node);
    const Duration busy = task.end - task.start;
    (task.kind == Kind::map ? node.maps : node.reduces) += 1;
    (task.kind == Kind::map ? node.map_busy : node.reduce_busy) += busy;
    node.energy_j +=
        watts_a_slot(cluster.nodes[rows[task.node]]) * static_cast<double>(to_ms(busy)) / ms_per_second;
  }
  const auto makespan = static_cast<double>(to_ms(result.makespan));
  for (std::size_t i = 0; i < usage.size(); ++i) {
    const NodeGroup& group = cluster.nodes[rows[i]];
    usage[i].node = static_cast<NodeIndex>(i);
    usage[i].energy_j += group.power_idle_w * makespan / ms_per_second;
    usage[i].cost_usd = group.price_per_hour * makespan / ms_per_hour;
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
  const double idle = idle_watts(cluster);
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    intervals[i].from = Time{} + width * static_cast<std::int64_t>(i);
    intervals[i].to = std::min(intervals[i].from + width, Time{} + result.makespan);
    intervals[i].energy_j =
        idle * static_cast<double>(to_ms(intervals[i].to - intervals[i].from)) / ms_per_second;
  }
  for (const TaskRecord& task : result.trace) {
    const double watts = watts_a_slot(cluster.nodes[rows.at(task.node)]);
    spread(intervals, width, task.start, task.end, [&](IntervalUsage& interval, Duration part) {
      (task.kind == Kind::map ? interval.map_busy : interval.reduce_busy) += part;
      interval.energy_j += watts * static_cast<double>(to_ms(part)) / ms_per_second;
    });
  }
  // Counts at the intervals' ends: what came in less what went out, summed up.
  std::vector<Count> started(intervals.size());
  const auto at = [&](Time time) {
    return std::min(static_cast<std::size_t>((time - Time{}) / width), intervals.size() - 1);
  };
  for (const JobOutcome& job : result.jobs) {
    if (job.rejected || intervals.empty()) continue;
    ++intervals[at(job.submit)].arrived;
    ++started[at(job.start)];
    ++intervals[at(job.finish)].finished;
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
