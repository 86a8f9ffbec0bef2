// Profile of a job from its finished runs [CLOUD §3.3, HP §II-B].
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"

namespace wavewright {

// Durations of one phase over the successful attempts of all runs.
struct PhaseProfile {
  // Ascending. All durations if they are few, else a seeded sample of `sample_limit`.
  static constexpr std::size_t sample_limit = 10'000;
  std::vector<Duration> sample;
  Count count = 0;  // of all durations, sampled or not
  Duration min{};
  double mean_ms = 0;  // over all durations, not a midpoint
  Duration max{};
  Duration smallest_max{};  // the least of the runs' maxima: each run had a task this long

  [[nodiscard]] bool empty() const { return count == 0; }
  // Linear interpolation between order statistics (type 7), q in [0, 1]; 0 when empty.
  [[nodiscard]] Duration quantile(double q) const;
};

// Attempts by outcome. Only those that succeeded count in the phases.
struct AttemptCounts {
  Count succeeded = 0;
  Count failed = 0;
  Count killed = 0;       // killed for any other reason than speculation
  Count speculative = 0;  // the losing copy of a speculated task
};

struct JobProfile {
  std::string name;
  Count runs = 0;  // successful runs that the phases come from
  Count failed_runs = 0;
  Count killed_runs = 0;

  PhaseProfile map;            // start to finish of a map attempt
  PhaseProfile first_shuffle;  // reduces started before the last map's end: from that end to shuffle's end
  PhaseProfile shuffle;  // reduces started later: start to the shuffle's end (including merge, as in HP)
  PhaseProfile reduce;   // end of shuffle and merge to finish

  AttemptCounts map_attempts;
  AttemptCounts reduce_attempts;

  double maps_per_run = 0;  // mean over the successful runs
  double reduces_per_run = 0;
  // Median over the runs of the time between submission and finish without a running task: start-up before
  // the first, commit after the last, waits in between. Not the mean: a run that waited behind other jobs
  // would distort it.
  double overhead_ms = 0;

  std::optional<double> input_per_map;       // bytes
  std::optional<double> map_selectivity;     // map output bytes / map input bytes
  std::optional<double> reduce_selectivity;  // reduce output bytes / reduce input bytes

  std::optional<Time> newest;  // submission of the newest run, or its finish if the submission is unknown
};

}  // namespace wavewright
