// The tasks of a stage, by job, in order, as runs of equal length.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "wavewright/cluster/slot_cluster.h"
#include "wavewright/job/job.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

inline constexpr std::int64_t no_time = std::numeric_limits<std::int64_t>::max();  // ms: never

struct StageTasks {
  struct Run {
    std::int64_t first = 0;  // ms, if it starts by the end of its job's last map
    std::int64_t later = 0;  // ms, if it starts later
    std::uint32_t count = 0;
  };
  std::vector<std::uint32_t> runs_from = {0};  // by job: its first run; one entry more than jobs
  std::vector<Run> runs;
  std::uint64_t tasks = 0;

  [[nodiscard]] bool none(JobIndex job) const { return runs_from[job] == runs_from[job + 1]; }
  [[nodiscard]] std::span<const Run> of(JobIndex job) const {
    return std::span(runs).subspan(runs_from[job], runs_from[job + 1] - runs_from[job]);
  }
  [[nodiscard]] std::uint32_t tasks_of(JobIndex job) const {
    std::uint32_t count = 0;
    for (const Run& run : of(job)) count += run.count;
    return count;
  }
  // True if runs are long enough for WaveSlots to be faster than SlotTree.
  [[nodiscard]] bool alike() const { return tasks >= long_runs * runs.size(); }

 private:
  static constexpr std::uint64_t long_runs = 4;  // mean tasks of a run
};

// O(tasks).
[[nodiscard]] StageTasks maps_of(const Workload& batch);
[[nodiscard]] StageTasks reduces_of(const Workload& batch);

// True if list schedules of two stages agree with the simulator on the batch: no task of length 0 (its end,
// start and successor could share an instant), slots for every kind of task, and times that fit.
[[nodiscard]] bool are_two_stages(const Workload& batch, SlotPool pool);

// The number of slots that can be in use at once.
[[nodiscard]] std::uint32_t used_slots(Count slots, std::uint64_t tasks);

}  // namespace wavewright
