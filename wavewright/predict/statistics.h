// A job as input of the formulas: its numbers of tasks, and min, mean and max duration of each phase.
#pragma once

#include <optional>

#include "wavewright/core/quantity.h"
#include "wavewright/job/job.h"
#include "wavewright/job/profile.h"

namespace wavewright {

// Milliseconds; 0 ≤ min ≤ avg ≤ max.
struct PhaseStatistics {
  double min_ms = 0;
  double avg_ms = 0;
  double max_ms = 0;
  // A duration that some task of every run reaches; absent = max, which is right for the statistics of one
  // run. The maximum of several pooled runs may not recur.
  std::optional<double> sure_max_ms = std::nullopt;

  [[nodiscard]] double mid_ms() const { return (min_ms + max_ms) / 2; }
  [[nodiscard]] double certain_max_ms() const { return sure_max_ms.value_or(max_ms); }
};

struct JobStatistics {
  Count maps = 0;
  Count reduces = 0;
  PhaseStatistics map;
  // part that does not overlap the maps; reduces started by the last map's end
  PhaseStatistics first_shuffle;
  PhaseStatistics shuffle;  // later waves
  PhaseStatistics reduce;
  double overhead_ms = 0;  // added to every time
};

// If no run has later waves (or a first one), their shuffle is taken from the other kind: the profile cannot
// tell, and 0 would be wrong. `maps` and `reduces` are the rounded means of the runs, at least 1 if any run
// had one. Throws Infeasible if the profile has no successful run.
[[nodiscard]] JobStatistics statistics_of(const JobProfile& profile);

// Of the job's own tasks, without overhead. O(tasks).
[[nodiscard]] JobStatistics statistics_of(const Job& job);

// Throws UsageError with the name of a number that is negative, not finite or out of order.
void check(const JobStatistics& job);

}  // namespace wavewright
