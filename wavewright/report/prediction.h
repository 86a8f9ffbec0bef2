// Accuracy of predictions: errors over rows with a measured time.
#pragma once

#include <string>
#include <vector>

#include "wavewright/report/report.h"

namespace wavewright::report {

// The simulated median if there is one, else the stage model's average.
[[nodiscard]] Duration predicted(const ReportPrediction& row);

// (predicted − measured) / measured; 0 without a measured time.
[[nodiscard]] double relative_error(const ReportPrediction& row);

struct Accuracy {
  Count rows = 0;            // with a positive measured time, alone on the cluster
  Count shared = 0;          // with one, but other jobs ran at the same time: counted apart
  double mean_absolute = 0;  // mean of |relative error|
  double shared_error = 0;   // likewise, of the runs that shared the cluster
  double worst = 0;          // largest |relative error|
  Count within_tenth = 0;    // |relative error| ≤ 10 %
  Count bracketed = 0;       // low ≤ measured ≤ up
};
[[nodiscard]] Accuracy accuracy(const std::vector<ReportPrediction>& rows);

// For the summary; empty without rows.
[[nodiscard]] std::string accuracy_tile(const std::vector<ReportPrediction>& rows);

}  // namespace wavewright::report
