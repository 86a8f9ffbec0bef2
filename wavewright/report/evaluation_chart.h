// Predicted against measured, a panel a method, as one SVG that stands by itself.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/core/time.h"

namespace wavewright {

// A run predicted without looking at it; times from submission to finish.
struct EvaluatedRun {
  std::string name;
  std::string id;
  double measured_ms = 0;  // positive
  double low_ms = 0;       // bounds
  double avg_ms = 0;
  double up_ms = 0;
  double wave_ms = 0;
  double p50_ms = 0;  // simulated, with its 90 % interval
  double p5_ms = 0;
  double p95_ms = 0;
};

// On logarithmic axes, the same for both directions and all panels: a dot a run, in the colour of its job (of
// more than ten jobs the last share grey), the diagonal, and the band of ±10 %; the panel of p50 with the
// intervals. Beside them the mean absolute error of each method. A pure function of its input. Throws
// UsageError where there are no runs.
[[nodiscard]] std::string evaluation_svg(const std::vector<EvaluatedRun>& runs);

// The same in a page of its own, with a table of the runs.
[[nodiscard]] std::string evaluation_page(const std::vector<EvaluatedRun>& runs);

}  // namespace wavewright
