// A line chart as one self-contained SVG.
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
  std::vector<LinePoint> printed;  // results of a publication, dashed in the same colour; may be empty
};

struct LineChart {
  std::string title;
  std::string across;  // label of x, with unit
  std::string up;      // label of y
  std::vector<ChartLine> lines;
};

// Axes from 0 (or below, for negative values) to round numbers; a bar for a point's interval. A pure function
// of its input. Throws UsageError if there is no point or one is not finite.
[[nodiscard]] std::string line_chart_svg(const LineChart& chart);

}  // namespace wavewright
