// Draws values over time as step lines or stacked areas.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wavewright/core/time.h"
#include "wavewright/report/charts/scale.h"

namespace wavewright::report {

inline constexpr int curve_columns = 250;  // resolution of a chart of curves

struct Curve {
  std::string name;
  std::string figure;          // beside the name in the legend; may be empty
  std::string css_class;       // of the colour: `p1`, `map`
  bool filled = false;         // with a light fill down to the axis
  std::vector<double> values;  // one per equal part of the time axis
};

struct CurveChart {
  std::string caption;  // HTML
  std::string title;    // for screen readers
  std::string description;
  std::string unit;  // behind a value under the pointer: ` of 12`, ` W`
  double high = 1;   // top of the value axis; above 0
  std::vector<Tick> levels;
  std::vector<Curve> curves;
  std::vector<double> limit;  // the available amount, as a line; empty = none
  bool stacked = false;       // the first curve at the bottom
  int decimals = 1;           // of values under the pointer
};

// A figure with legend and axes; the time axis ends at `end`. O(values).
[[nodiscard]] std::string curve_figure(const CurveChart& chart, const std::vector<Tick>& time_ticks,
                                       Duration end);

// The largest value; for stacked curves the largest sum.
[[nodiscard]] double peak(const CurveChart& chart);

// Sets `high` a little above the peak (at least to `least`), with ticks at round values below it.
void fit_levels(CurveChart& chart, double least = 0);

}  // namespace wavewright::report
