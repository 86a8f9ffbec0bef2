// The frame of all charts: a gutter with labels on the left, a plot that stretches with the page, and HTML
// text over it, which keeps its size at every width.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wavewright/report/charts/scale.h"

namespace wavewright::report {

// A label centred at its position (0 … 1), or to one side of it if it would leave the plot.
[[nodiscard]] std::string pin(double position, std::string_view html, std::string_view css_class);

// Labels of a horizontal axis, as pins in a row.
[[nodiscard]] std::string axis_row(const std::vector<Tick>& ticks);

// Likewise of a time axis, which the page's script labels anew when it is zoomed.
[[nodiscard]] std::string time_axis_row(const std::vector<Tick>& ticks, Duration start, Duration end);

// A box around plots whose horizontal axis can be stretched: they then scroll, together with all boxes of
// that name.
[[nodiscard]] std::string open_zoomable(std::string_view name);
[[nodiscard]] std::string close_zoomable();

[[nodiscard]] std::string vertical_lines(const std::vector<Tick>& ticks, double height);

// Labels of a vertical axis in the gutter, position 1 at the top.
[[nodiscard]] std::string gutter_ticks(const std::vector<Tick>& ticks);

[[nodiscard]] std::string plot(std::string_view gutter, std::string_view area,
                               std::string_view css_class = {});

// A tile of the summary: label, large value, and a note below. `note` is HTML.
[[nodiscard]] std::string tile(std::string_view label, std::string_view value, std::string_view note,
                               std::string_view css_class = {});

// A coloured mark with its text, for legends.
[[nodiscard]] std::string key(std::string_view css_class, std::string_view html);

}  // namespace wavewright::report
