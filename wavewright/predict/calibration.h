// Measures how far a job's runs deviate from their predictions, for an honest prediction interval.
//
// Each of the newest runs is predicted from the others (with thinned tasks); the error is log(measured /
// predicted). The simulation explains a part of its variance: random task lengths, and which run they are
// drawn from. The rest is other data, a busier cluster, and what the model lacks. From few runs it is
// uncertain: it is mixed with a prior of `prior_deviation` that weighs as much as `prior_freedom` runs, and
// drawn from Student's t.
#pragma once

#include <cstdint>
#include <span>

#include "wavewright/predict/percentiles.h"
#include "wavewright/predict/scaling.h"

namespace wavewright {

struct Calibration {
  static constexpr double prior_deviation = 0.05;
  static constexpr double prior_freedom = 1;

  Count runs = 0;  // number of errors measured
  double deviation = prior_deviation;
  double freedom = prior_freedom;

  // Standard deviation (of the logarithm) of a new run around its prediction; Student's t with `freedom`.
  [[nodiscard]] double scale() const;
};

// If no run has the size class of `wanted` (profile/groups.h), each run is predicted from runs of other sizes
// only, as `wanted` will be. At most the `runs_at_most` newest runs are used. O(runs² · thinned durations).
struct CalibrationOptions {
  std::uint64_t seed = 1;
  bool contention = true;
  std::size_t runs_at_most = 16;
};
[[nodiscard]] Calibration calibrate(std::span<const RunPhases> runs, const RunSize& wanted,
                                    const CalibrationOptions& options = {});

// Percentiles, mean and stages; p5 and p95 of the totals times a draw of the variation between runs.
[[nodiscard]] Percentiles with_interval(const SimulatedRuns& simulated, const Calibration& calibration,
                                        std::uint64_t seed);

}  // namespace wavewright
