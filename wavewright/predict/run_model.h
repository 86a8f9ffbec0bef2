// The model from which simulated runs of a job are drawn: durations of its runs, and times between tasks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/core/random.h"
#include "wavewright/profile/run_phases.h"

namespace wavewright {

// Durations of phases and of waits between tasks, from one run or all runs. Empty = unknown.
struct Samples {
  std::vector<Duration> map, first_shuffle, shuffle, reduce;
  std::vector<Duration> map_ramp;  // ascending
  std::vector<Duration> map_wait, reduce_wait;
};

struct RunModel {
  // One per run. A simulated run draws from one of them as far as possible, as tasks of one run resemble each
  // other more than those of different runs. So runs vary as the real ones did, and one bad run does not
  // lengthen the tasks of all.
  std::vector<Samples> runs;
  Samples pooled;  // used if that run has no sample
  struct Ends {
    Duration startup{};  // before the first map
    Duration commit{};   // after the last task
  };
  std::vector<Ends> ends;  // one per run
  double slowstart = 0.05;
  // Both kinds of shuffle were seen, so a first-wave reduce's own shuffle length is known, too.
  bool shuffle_has_length = false;
};

// From successful runs, scaled to the question (predict/scaling.h), with at most PhaseProfile::sample_limit
// durations each. A kind of shuffle that no run has is taken from the other kind (as in statistics_of). A run
// without stages has its overhead as start-up. Slow-start is that of the newest run (the first) with
// settings. O(durations).
[[nodiscard]] RunModel run_model(std::span<const RunPhases> runs, std::uint64_t seed);

// `count` draws with replacement; zeros if the sample is empty.
void draw(std::span<const Duration> sample, Random& random, std::vector<Duration>& into);

}  // namespace wavewright
