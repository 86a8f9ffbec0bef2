// The durations of a run, task by task: what its phases are made of, with names.
#pragma once

#include <optional>
#include <vector>

#include "wavewright/history/run.h"

namespace wavewright {

// Of the winning attempt. As in profile/run_phases.h: a map's length, or a reduce's shuffle (after the last
// map's end in the first wave, after its own start later; absent where it is not told) and what follows it.
struct TaskTime {
  const TaskRun* task = nullptr;
  const Attempt* attempt = nullptr;
  bool possible = false;  // else its instants cannot be (history/sanity_checks.h), and there are no durations
  bool first_wave = false;  // reduces
  std::optional<Duration> map;
  std::optional<Duration> shuffle;
  std::optional<Duration> reduce;
};

// Maps and reduces that have a winner, in the run's order, which must outlive the answer. O(attempts).
[[nodiscard]] std::vector<TaskTime> task_times(const JobRun& run);

}  // namespace wavewright
