// The durations of a run task by task, with the names that its phases lack.
#pragma once

#include <optional>
#include <vector>

#include "wavewright/history/run.h"

namespace wavewright {

// Durations of the winning attempt, as in profile/run_phases.h: a map's length, or a reduce's shuffle and its
// reduce phase. The shuffle counts from the last map's end in the first wave, from the own start later;
// absent if unknown.
struct TaskTime {
  const TaskRun* task = nullptr;
  const Attempt* attempt = nullptr;
  // false: its instants are impossible (history/sanity_checks.h), so it has no durations
  bool possible = false;
  bool first_wave = false;  // of a reduce
  std::optional<Duration> map;
  std::optional<Duration> shuffle;
  std::optional<Duration> reduce;
};

// Maps and reduces with a winner, in the order of the run, which must outlive the result. O(attempts).
[[nodiscard]] std::vector<TaskTime> task_times(const JobRun& run);

}  // namespace wavewright
