#include "wavewright/report/simulation/view.h"

#include <algorithm>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/report/charts/curves.h"
#include "wavewright/report/charts/grid.h"
#include "wavewright/sim/metrics/slot_time.h"
#include "wavewright/sim/metrics/usage.h"

namespace wavewright::report {

namespace {

void check(const SimulationReport& data) {
  const SimulationResult& result = *data.result;
  if (result.jobs.size() != data.workload->jobs.size()) {
    throw InternalError(fmt::format("a run of {} jobs where the workload has {}", result.jobs.size(),
                                    data.workload->jobs.size()));
  }
  if (result.trace.empty() && (result.map_busy + result.reduce_busy > Duration{} || result.memory_busy > 0))
    throw InternalError("a run comes without its trace");
  for (const TaskRecord& task : result.trace) {
    if (task.job >= result.jobs.size() || task.start < Time{} || task.end < task.start) {
      throw InternalError(fmt::format("a run has a task of job {} from {} to {} ms that cannot be", task.job,
                                      to_ms(task.start), to_ms(task.end)));
    }
  }
}

// Assigns lanes for containers, or for tasks that may share slots: the lowest lane of the node that is free
// at the task's start. `tasks` are sorted by start. Returns each node's number of lanes.
std::vector<std::uint32_t> take_lanes(std::vector<TaskRecord>& tasks, std::size_t nodes) {
  std::vector<std::vector<Time>> busy_until(nodes);
  for (TaskRecord& task : tasks) {
    std::vector<Time>& lanes = busy_until[task.node];
    const auto free = std::find_if(lanes.begin(), lanes.end(), [&](Time end) { return end <= task.start; });
    task.slot = static_cast<std::uint32_t>(free - lanes.begin());
    if (free == lanes.end()) {
      lanes.push_back(task.end);
    } else {
      *free = task.end;
    }
  }
  std::vector<std::uint32_t> counts;
  counts.reserve(nodes);
  for (const std::vector<Time>& lanes : busy_until)
    counts.push_back(std::max<std::uint32_t>(1, static_cast<std::uint32_t>(lanes.size())));
  return counts;
}

// Slots are numbered from 0 over all nodes, by kind. Here they get numbers on their node, reduces after maps.
std::vector<std::uint32_t> number_slots(std::vector<TaskRecord>& tasks, const SimulationView& view) {
  std::vector<Count> maps_before, reduces_before;
  std::vector<std::uint32_t> counts;
  Count maps = 0, reduces = 0;
  for (const std::uint32_t group : view.group) {
    const SlotPool& slots = view.cluster().nodes[group].slots;
    maps_before.push_back(maps);
    reduces_before.push_back(reduces);
    maps += slots.map_slots;
    reduces += slots.reduce_slots;
    counts.push_back(static_cast<std::uint32_t>(slots.map_slots + slots.reduce_slots));
  }
  for (TaskRecord& task : tasks) {
    const Count own = view.cluster().nodes[view.group[task.node]].slots.map_slots;
    const Count lane = task.kind == Kind::reduce ? own + task.slot - reduces_before[task.node]
                                                 : task.slot - maps_before[task.node];
    if (lane < 0 || lane >= Count{counts[task.node]})
      throw InternalError(
          fmt::format("a run has a task on slot {}, which node {} has not", task.slot, task.node));
    task.slot = static_cast<std::uint32_t>(lane);
  }
  return counts;
}

// By task, the part of its time in which no earlier task used its slot; empty if that is all of it for every
// task. `tasks` are sorted by start.
std::vector<TaskRecord> additions_of(const std::vector<TaskRecord>& tasks) {
  SlotTime time;
  std::vector<TaskRecord> additions = tasks;
  bool shared = false;
  for (TaskRecord& task : additions) {
    const Time from = time.adds_from(task);
    shared = shared || from > task.start;
    task.start = from;
  }
  return shared ? additions : std::vector<TaskRecord>{};
}

// By node: is it there in this run? Machines for rent are if they were rented.
std::vector<bool> nodes_there(const SimulationView& view) {
  std::vector<bool> there;
  there.reserve(view.group.size());
  for (const std::uint32_t group : view.group) there.push_back(!view.cluster().nodes[group].rent);
  for (const Lease& lease : view.result().leases) there.at(lease.node) = true;
  for (const TaskRecord& task : view.tasks) there[task.node] = true;
  return there;
}

void lay_out(SimulationView& view) {
  const NodesOfTasks node_of(view.result().nodes, view.cluster());
  view.tasks = view.result().trace;
  for (TaskRecord& task : view.tasks) {
    task.node = node_of(task);
    if (task.node >= view.group.size())
      throw InternalError(fmt::format("a run has a task on node {} of {}", task.node, view.group.size()));
  }
  std::stable_sort(view.tasks.begin(), view.tasks.end(),
                   [](const TaskRecord& a, const TaskRecord& b) { return a.start < b.start; });
  view.additions = additions_of(view.tasks);
  const std::vector<std::uint32_t> counts = view.containers() || view.shares()
                                                ? take_lanes(view.tasks, view.group.size())
                                                : number_slots(view.tasks, view);
  std::vector<std::uint32_t> first;
  const std::vector<bool> there = nodes_there(view);
  for (NodeIndex node = 0; node < counts.size(); ++node) {
    first.push_back(static_cast<std::uint32_t>(view.lane_node.size()));
    view.node_row.push_back(static_cast<std::uint32_t>(view.node_rows));
    if (!there[node]) continue;
    ++view.node_rows;
    view.lane_node.insert(view.lane_node.end(), counts[node], node);
  }
  for (TaskRecord& task : view.tasks) task.slot += first[task.node];
  sort_by_slot(view.tasks);
}

void find_absences(SimulationView& view, const Topology& topology) {
  view.absences = absences_of(view.cluster(), topology);
  const Time end = Time{} + view.horizon;
  for (std::vector<Stay>& node : view.absences) {
    std::erase_if(node, [&](const Stay& away) { return away.from >= end; });
    for (Stay& away : node) away.to = away.to ? std::min(*away.to, end) : end;
    view.absent = view.absent || !node.empty();
  }
}

}  // namespace

SimulationView view_of(const SimulationReport& data) {
  check(data);
  SimulationView view;
  view.data = data;
  for (const Job& job : data.workload->jobs)
    view.jobs.push_back({job.id, job.name, job.user, job.queue, job.deadline});
  view.schedule = view_of(data.policy, *data.result);
  const Topology topology = expand(*data.cluster);
  view.group = topology.group;
  view.node_names = NodesOfTasks(data.result->nodes, *data.cluster).names();
  Duration end = std::max(ms(1), data.result->makespan);
  for (const TaskRecord& task : data.result->trace) end = std::max(end, task.end.time_since_epoch());
  view.column = (end + ms(curve_columns - 1)) / curve_columns;
  view.columns = static_cast<int>((end + view.column - ms(1)) / view.column);
  view.horizon = view.column * view.columns;
  lay_out(view);
  find_absences(view, topology);
  return view;
}

}  // namespace wavewright::report
