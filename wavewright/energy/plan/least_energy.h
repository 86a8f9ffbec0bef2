// How long each task takes at least on each row of nodes, and the energy of its work there.
//
// Lengths are those of sim/simulate_cluster.h without bad luck: launch + duration / speed, beside the task's
// block, with the shorter of a reduce's shuffles. Tasks that run together on a slot (ClassSpeed::parallelism)
// share its time and its power, so that each counts for its part. Work is the power that a task adds. Where a
// node draws one power for all its tasks, or by a measured curve, it is the least part that can fall to one.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"
#include "wavewright/sched/event.h"

namespace wavewright {

// A job's tasks of a kind, on one row of Cluster::nodes.
struct TasksOnRow {
  std::uint64_t factor = 0;  // 1 / speed, as core/factor.h
  double share = 1;          // of the slot's time and power: 1 / parallelism
  double power = 0;          // mW that the slot draws while they run
  double most_ms = 0;        // longer tasks do not end in time there; below 0: none can run there
};

// Maps, then reduces, where there is a value for each kind.
inline constexpr std::size_t slot_kinds = 2;
[[nodiscard]] constexpr std::size_t place_of(Kind kind) {
  return kind == Kind::map ? 0 : 1;
}

// A job's tasks of one kind.
struct TaskStage {
  JobIndex job = 0;
  Kind kind = Kind::map;
  std::vector<TasksOnRow> rows;
  struct Tasks {
    std::int64_t length = 0;  // ms on a machine of speed 1
    std::int64_t extra = 0;   // ms at any speed: launch, shuffle
    Count count = 0;
    friend auto operator<=>(const Tasks&, const Tasks&) = default;
  };
  std::vector<Tasks> tasks;  // equal ones together
  // ms: none of its tasks starts before `from`, none ends after `to`; infinite without a deadline.
  double from = 0, to = std::numeric_limits<double>::infinity();

  // Least time of a task on the row, ms. It is infinite if the task cannot end in time there.
  [[nodiscard]] double time_on(const TasksOnRow& row, const Tasks& task) const;
};

struct LeastEnergy {
  std::vector<TaskStage> stages;  // maps before reduces, job by job; none without tasks
  double earliest_end = 0;        // ms: no schedule is done before
};

// For schedules in which every job is done, by its deadline where it has one. Each deadline must be possible
// (impossible_deadlines, cloud/bound/stage_windows.h). Mode "slots" only. O(tasks · log tasks + edges + jobs
// · node rows).
[[nodiscard]] LeastEnergy least_energy(const Workload& workload, const Cluster& cluster);

}  // namespace wavewright
