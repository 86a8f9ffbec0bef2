// How far runs of a job stray from what is predicted for them: what makes an interval honest.
//
// Each of the newest runs is predicted from the others (with their tasks thinned out), and the logarithm of
// measured / predicted kept. What such errors vary beyond what the simulation itself shows (the luck of
// tasks, and which run they are drawn from) is other data, a busier cluster, and what the model does not
// know. With few runs it is itself uncertain: it is mixed with a prior of `prior_deviation` that weighs as
// much as `prior_freedom` runs, and drawn from Student's t.
#pragma once

#include <cstdint>
#include <span>

#include "wavewright/predict/percentiles.h"
#include "wavewright/predict/scaling.h"

namespace wavewright {

struct Calibration {
  static constexpr double prior_deviation = 0.05;
  static constexpr double prior_freedom = 1;

  Count runs = 0;  // errors that it comes from
  double deviation = prior_deviation;
  double freedom = prior_freedom;

  // Standard deviation (of the logarithm) of a new run about its prediction; Student's t of `freedom`.
  [[nodiscard]] double scale() const;
};

// Where the wanted size is of a class that no run has (profile/groups.h), each run is predicted from the runs
// of other sizes only, for that is what is done to the wanted one. At most `runs_at_most` newest are looked
// at. O(runs² · thinned durations).
struct CalibrationOptions {
  std::uint64_t seed = 1;
  bool contention = true;
  std::size_t runs_at_most = 16;
};
[[nodiscard]] Calibration calibrate(std::span<const RunPhases> runs, const RunSize& wanted,
                                    const CalibrationOptions& options = {});

// 5th, 50th and 95th percentile, mean and stages; the outer two of the simulated totals times a draw of the
// variation between runs.
[[nodiscard]] Percentiles with_interval(const SimulatedRuns& simulated, const Calibration& calibration,
                                        std::uint64_t seed);

}  // namespace wavewright
