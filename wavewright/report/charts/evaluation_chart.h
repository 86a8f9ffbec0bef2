// Predicted over measured times, a panel per method, as one self-contained SVG.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/core/time.h"

namespace wavewright {

// A run and its prediction from other runs; times from submission to finish.
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

// Logarithmic axes, the same for both directions and all panels. One dot per run in the colour of its job
// (beyond ten jobs the rest share grey), the diagonal, a band of ±10 %; intervals in the panel of p50. Beside
// them the mean absolute error of each method. A pure function of its input. Throws UsageError if there are
// no runs.
[[nodiscard]] std::string evaluation_svg(const std::vector<EvaluatedRun>& runs);

// A page with this chart and a table of the runs.
[[nodiscard]] std::string evaluation_page(const std::vector<EvaluatedRun>& runs);

}  // namespace wavewright
