#include "wavewright/energy/plan/exact_model.h"

#include <algorithm>
#include <cmath>

#include "wavewright/cluster/presence.h"

namespace wavewright {

namespace {

bool always_there(const NodeGroup& group) {
  return !group.rent && stays_of(group) == std::vector<Stay>{Stay{}};
}

// By row: the most tasks of a job that run together on a slot.
std::vector<Count> most_sharing(const Cluster& cluster, const LeastEnergy& least) {
  std::vector<Count> most(cluster.nodes.size(), 1);
  for (const TaskStage& stage : least.stages) {
    for (std::size_t row = 0; row < most.size(); ++row)
      most[row] = std::max<Count>(most[row], std::llround(1 / stage.rows[row].share));
  }
  return most;
}

// Power × time. Exact where a task has a slot and its power for itself; else never above it.
MicroJoules work_of(const TasksOnRow& on, std::int64_t time) {
  const bool whole = on.share == 1 && on.power == std::floor(on.power);
  if (whole) return energy_of(static_cast<Milliwatts>(on.power), ms(time));
  constexpr double rounding = 1e-12;
  return static_cast<MicroJoules>(
      std::floor(static_cast<double>(time) * on.power * on.share * (1 - rounding)));
}

}  // namespace

ExactModel::ExactModel(const Workload& workload, const Cluster& cluster, const LeastEnergy& least,
                       const EnergyBound& bound)
    : tasks(workload.jobs.size()),
      setup(to_ms(cluster.masters.start)),
      commit(to_ms(cluster.masters.finish)),
      before(cluster.mode.slowstart < 1 ? to_ms(cluster.mode.launch) : 0),
      earliest_end(static_cast<std::int64_t>(std::floor(least.earliest_end))) {
  for (const TaskStage& stage : least.stages) {
    for (const TaskStage::Tasks& each : stage.tasks) tasks[stage.job][place_of(stage.kind)] += each.count;
  }
  add_rows(cluster, bound, most_sharing(cluster, least));
  add_groups(workload, cluster, least, bound);
}

void ExactModel::add_rows(const Cluster& cluster, const EnergyBound& bound,
                          const std::vector<Count>& sharing) {
  Count all = 0;
  for (const auto& of_job : tasks) all += of_job[0] + of_job[1];
  const PowerModel model(cluster);
  double paid = 0;
  for (std::size_t i = 0; i < cluster.nodes.size(); ++i) {
    const NodeGroup& group = cluster.nodes[i];
    const NodePower& power = model.of_row(i);
    const bool always = always_there(group);
    Row& row = rows.emplace_back();
    row.slots = {group.slots.map_slots, group.slots.reduce_slots};
    row.surplus = always ? 0 : std::max<Milliwatts>(0, power.idle - power.off);
    row.wake = group.rent ? power.wake : 0;
    flows += group.count * (always ? power.idle : std::min(power.idle, power.off));
    double asked = 0;  // by the slots of a machine
    for (std::size_t kind = 0; kind < slot_kinds; ++kind)
      asked += static_cast<double>(row.slots[kind]) * bound.rents[i][kind];
    paid += static_cast<double>(group.count) * std::max(0.0, asked - static_cast<double>(row.surplus));
    for (std::size_t kind = 0; kind < slot_kinds; ++kind) {
      const Count slots = group.count * row.slots[kind];
      const double idle = always && sharing[i] == 1 ? bound.rents[i][kind] : 0;
      pools.push_back({i, std::min(all, slots * sharing[i]), row.wake > 0, idle});
      unpaid += idle * static_cast<double>(slots - std::min(all, slots));
    }
  }
  unpaid += std::max(0.0, static_cast<double>(flows) - paid);
}

void ExactModel::add_groups(const Workload& workload, const Cluster& cluster, const LeastEnergy& least,
                            const EnergyBound& bound) {
  for (const TaskStage& stage : least.stages) {
    const Job& job = workload.jobs[stage.job];
    for (const TaskStage::Tasks& each : stage.tasks) {
      Group group{.job = stage.job, .kind = stage.kind, .tasks = each.count, .ways = {}, .after = commit};
      if (job.deadline) group.due = to_ms(*job.deadline);
      group.shortest = never;
      group.cheapest = std::numeric_limits<double>::infinity();
      for (std::size_t row = 0; row < cluster.nodes.size(); ++row) {
        const TasksOnRow& on = stage.rows[row];
        const double time = stage.time_on(on, each);
        const std::size_t kind = place_of(stage.kind);
        if (std::isinf(time) || cluster.nodes[row].count == 0) continue;
        const auto length = static_cast<std::int64_t>(time);
        const double cost = time * on.share * (on.power + bound.rents[row][kind]);
        group.ways.push_back({slot_kinds * row + kind, length,
                              static_cast<std::int64_t>(std::floor(time * on.share)), work_of(on, length),
                              cost});
        group.cheapest = std::min(group.cheapest, cost);
        group.shortest = std::min(group.shortest, length);
      }
      groups.push_back(std::move(group));
    }
  }
  // Maps are followed by the longest of their job's reduces.
  for (Group& group : groups) {
    if (group.kind != Kind::map) continue;
    for (const Group& other : groups) {
      if (other.kind == Kind::reduce && other.job == group.job)
        group.after = std::max(group.after, commit + other.shortest - before);
    }
  }
}

}  // namespace wavewright
