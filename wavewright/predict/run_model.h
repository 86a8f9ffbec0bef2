// What a simulated run of a job is drawn from: the durations of its runs, and what passes between tasks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/core/random.h"
#include "wavewright/profile/run_phases.h"

namespace wavewright {

// Whatever a run, or all runs together, tell of a phase or of what passes between tasks. Empty = nothing.
struct Samples {
  std::vector<Duration> map, first_shuffle, shuffle, reduce;
  std::vector<Duration> map_ramp;  // ascending
  std::vector<Duration> map_wait, reduce_wait;
};

struct RunModel {
  // One a run. A simulated run draws all that it can from one of them, for tasks of one run resemble one
  // another more than those of different runs: so runs vary as the real ones did, and one bad run does not
  // lengthen the tasks of all.
  std::vector<Samples> runs;
  Samples pooled;  // where that one tells nothing
  struct Ends {
    Duration startup{};  // before the first map
    Duration commit{};   // after the last task
  };
  std::vector<Ends> ends;  // as runs
  double slowstart = 0.05;
  // Both kinds of shuffle were seen, so that a first-wave reduce's own length is known too.
  bool shuffle_has_length = false;
};

// From successful runs, scaled to what is asked (predict/scaling.h); of each at most
// PhaseProfile::sample_limit durations. A kind of shuffle that no run showed is taken to be like the other
// (as in statistics_of). A run without stages has its overhead as start-up. Slow-start is that of the newest
// run (the first) that tells its settings. O(durations).
[[nodiscard]] RunModel run_model(std::span<const RunPhases> runs, std::uint64_t seed);

// `count` draws with replacement; zeros where there is nothing to draw from.
void draw(std::span<const Duration> sample, Random& random, std::vector<Duration>& into);

}  // namespace wavewright
