// A job as the formulas see it: how many tasks, and least, mean and greatest duration of each phase.
#pragma once

#include <optional>

#include "wavewright/core/quantity.h"
#include "wavewright/job/profile.h"

namespace wavewright {

// Milliseconds; 0 ≤ min ≤ avg ≤ max.
struct PhaseStatistics {
  double min_ms = 0;
  double avg_ms = 0;
  double max_ms = 0;
  // A duration that some task of every run reaches; absent = max, which is right where the statistics are
  // those of one run. Where several are pooled, their maximum is not sure to recur.
  std::optional<double> sure_max_ms = std::nullopt;

  [[nodiscard]] double mid_ms() const { return (min_ms + max_ms) / 2; }
  [[nodiscard]] double certain_max_ms() const { return sure_max_ms.value_or(max_ms); }
};

struct JobStatistics {
  Count maps = 0;
  Count reduces = 0;
  PhaseStatistics map;
  PhaseStatistics first_shuffle;  // non-overlapping part, reduces started by the last map's end
  PhaseStatistics shuffle;        // later waves
  PhaseStatistics reduce;
  double overhead_ms = 0;  // added to every time
};

// Where no run showed later waves (or a first one), they are taken to be like the other kind: the profile
// cannot tell, and 0 would be wrong. `maps` and `reduces` are the rounded means of the runs, at least 1 where
// any run had one. Throws Infeasible when the profile holds no successful run.
[[nodiscard]] JobStatistics statistics_of(const JobProfile& profile);

// Throws UsageError when a number is negative, not finite or out of order, naming it.
void check(const JobStatistics& job);

}  // namespace wavewright
