// Dots in a plane, and the line of those that none dominates: down and left is better.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/report/charts/scale.h"

namespace wavewright::report {

struct ScatterDot {
  double x = 0, y = 0;
  std::size_t colour = 0;  // class f0 to f5 of the page's style
  bool frontier = false, best = false;
  std::string tip;  // shown where the pointer is; not escaped
};

struct Scatter {
  std::string title, description;  // for screen readers
  std::string legend;              // HTML
  std::string unit_x, unit_y;      // HTML
  // The ends of the axes; values beyond them are drawn there.
  double least_x = 0, most_x = 1, least_y = 0, most_y = 1;
  std::vector<Tick> across, up;
  std::vector<ScatterDot> dots;  // those of the frontier from low to high, and so from right to left
  std::optional<double> limit_x, bound_y;
};

// A figure with legend and axes. O(dots).
[[nodiscard]] std::string scatter_figure(const Scatter& data);

}  // namespace wavewright::report
