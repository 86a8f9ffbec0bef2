// Horizontal bars from zero as one self-contained SVG: values side by side, or the effects of several
// assumptions on one value (a tornado chart).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wavewright {

struct Bar {
  std::string name;  // beside the bar
  double value = 0;
  std::optional<std::pair<double, double>> interval = std::nullopt;  // a line over the bar
  std::optional<double> printed = std::nullopt;                      // a publication's value, a dashed mark
};

struct BarGroup {
  std::string name;  // above its bars; may be empty
  std::vector<Bar> bars;
};

struct BarChart {
  std::string title;
  std::string along;  // label of the values, with unit
  std::vector<BarGroup> groups;
};

// An axis of round numbers that holds 0, all values and intervals. Long names are cut. A pure function of its
// input. Throws UsageError if there is no bar or a value is not finite. O(bars).
[[nodiscard]] std::string bar_chart_svg(const BarChart& chart);

}  // namespace wavewright
