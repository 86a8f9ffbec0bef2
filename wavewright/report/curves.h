// Something over time, drawn in steps: lines beside each other, or areas on top of each other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wavewright/core/time.h"
#include "wavewright/report/scale.h"

namespace wavewright::report {

inline constexpr int curve_columns = 250;  // what a chart of curves can show

struct Curve {
  std::string name;
  std::string figure;          // beside the name in the legend; may be empty
  std::string css_class;       // of the colour: `p1`, `map`
  bool filled = false;         // softly, down to the axis
  std::vector<double> values;  // of equal parts of the time axis
};

struct CurveChart {
  std::string caption;  // HTML
  std::string title;    // for those who cannot see it
  std::string description;
  std::string unit;  // behind a value that is pointed at: ` of 12`, ` W`
  double high = 1;   // top of the value axis; above 0
  std::vector<Tick> levels;
  std::vector<Curve> curves;
  std::vector<double> limit;  // what there is to use, as a line; empty = none
  bool stacked = false;       // the first at the bottom
  int decimals = 1;           // of values pointed at
};

// A figure with legend and axes. O(values).
[[nodiscard]] std::string curve_figure(const CurveChart& chart, const std::vector<Tick>& time_ticks);

// The largest value; of a stack the largest sum.
[[nodiscard]] double peak(const CurveChart& chart);

// Sets `high` a little above the peak (to `least`, if that is more) with ticks at round values below it.
void fit_levels(CurveChart& chart, double least = 0);

}  // namespace wavewright::report
