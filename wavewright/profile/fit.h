// Linear fits of a job's phases over its input, with confidence limits [CLOUD §3.6.2, figs 3.3–3.4].
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wavewright/profile/run_phases.h"

namespace wavewright {

struct FitPoint {
  double x = 0;
  double y = 0;
  std::size_t run = 0;  // index in the given runs
};

// y = intercept + slope·x by least squares with normal, independent errors. Limits are two-sided at `level`.
struct LinearFit {
  static constexpr double level = 0.95;
  std::size_t points = 0;
  std::size_t sizes = 0;  // number of different x; those within 5 % count as one
  double intercept = 0, intercept_low = 0, intercept_high = 0;
  double slope = 0, slope_low = 0, slope_high = 0;
  double r2 = 0;                           // share of the variation of y explained; 0 if y does not vary
  double deviation = 0;                    // residual standard deviation, n − 2 degrees of freedom
  std::vector<std::size_t> high_leverage;  // indices of points with leverage above 4/n

  [[nodiscard]] double at(double x) const { return intercept + slope * x; }
  // Half the width of the interval for a new run at x.
  [[nodiscard]] double prediction_margin(double x) const;

  double mean_x = 0, spread_x = 0;  // Σ(x − mean)²
};

// Absent if there are fewer than three points or one size only. O(n log n).
[[nodiscard]] std::optional<LinearFit> fit(std::span<const FitPoint> points);

struct PhaseFit {
  std::string phase;   // `maps` (their number), `map`, `shuffle`, `reduce` (mean length of a task, ms)
  std::string x_name;  // `input_bytes`, or `input_bytes_per_reduce` if the numbers of reduces differ
  std::vector<FitPoint> points;
  std::optional<LinearFit> line;
  std::vector<std::string> flags;  // warnings
};

// Uses successful runs with a known input of at least 1 MiB. `shuffle` covers both waves.
[[nodiscard]] std::vector<PhaseFit> fit_phases(std::span<const RunPhases> runs);

}  // namespace wavewright
