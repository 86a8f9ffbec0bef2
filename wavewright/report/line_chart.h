// A few lines over numbers, as one SVG that stands by itself.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wavewright {

struct LinePoint {
  double x = 0;
  double y = 0;
  std::optional<std::pair<double, double>> interval = std::nullopt;  // of y
};

struct ChartLine {
  std::string name;                // in the legend
  std::vector<LinePoint> points;   // in order of x
  std::vector<LinePoint> printed;  // what somebody else found, dashed in the same colour; may be empty
};

struct LineChart {
  std::string title;
  std::string across;  // what x is, with its unit
  std::string up;      // what y is
  std::vector<ChartLine> lines;
};

// Axes from 0 (or from below, where values are) to round numbers, a bar where a point has an interval. A pure
// function of its input. Throws UsageError where there is no point, or one that is not finite.
[[nodiscard]] std::string line_chart_svg(const LineChart& chart);

}  // namespace wavewright
