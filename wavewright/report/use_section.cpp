// How many slots are in use over time, all schedules on one chart.
#include <algorithm>

#include <fmt/format.h>

#include "wavewright/report/charts.h"
#include "wavewright/report/grid.h"
#include "wavewright/report/html.h"
#include "wavewright/report/sections.h"
#include "wavewright/report/svg.h"
#include "wavewright/report/text.h"

namespace wavewright::report {

namespace {

constexpr double chart_pixels = 150;
constexpr int columns = 250;

double utilisation(const Analysis& analysis, const ScheduleView& view, Kind kind) {
  return kind == Kind::map ? view.result->map_utilisation(analysis.data->pool)
                           : view.result->reduce_utilisation(analysis.data->pool);
}

// A line in steps, from the first column to the last that is in use; `closed` down to the axis.
std::string steps(const std::vector<double>& use, Count slots, bool closed, std::string_view attributes) {
  std::size_t end = use.size();
  while (end > 0 && use[end - 1] < 1e-9) --end;
  const double width = chart_width / static_cast<double>(use.size());
  Path path;
  path.move(0, chart_pixels);
  for (std::size_t i = 0; i < end; ++i) {
    const double y = chart_pixels * (1 - use[i] / static_cast<double>(slots));
    path.to(static_cast<double>(i) * width, y).to(static_cast<double>(i + 1) * width, y);
  }
  path.to(static_cast<double>(end) * width, chart_pixels);
  if (closed) path.close();
  return path.element(attributes);
}

std::string values(const std::vector<double>& use) {
  std::string text;
  for (const double value : use) text += fmt::format("{}{:.1f}", text.empty() ? "" : ",", value);
  return fmt::format("[{}]", text);
}

std::string use_chart(const Analysis& analysis, Kind kind, Count slots) {
  const std::string_view name = kind == Kind::map ? "Map" : "Reduce";
  const std::vector<Tick> ticks = Axis::linear(analysis.horizon).ticks(8);
  std::string area, legend, series;
  for (std::size_t i = 0; i < analysis.schedules.size(); ++i) {
    const ScheduleView& view = analysis.schedules[i];
    const std::vector<double> use =
        use_over_time(kind == Kind::map ? view.maps : view.reduces, analysis.horizon, columns);
    const std::size_t style = std::min<std::size_t>(i, 3);
    const bool filled = &view == &analysis.subject();
    if (filled) area += steps(use, slots, true, fmt::format("class=\"soft p{}\"", style));
    area += steps(use, slots, false, fmt::format("class=\"curve p{}\"", style));
    legend +=
        key(fmt::format("line p{}", style),
            fmt::format("{} <b>{}</b>", escape(view.label), percent_text(utilisation(analysis, view, kind))));
    series += fmt::format("{}{}", i == 0 ? "" : ",", values(use));
  }
  const std::string svg = open_chart(chart_pixels, fmt::format("{} slots in use over time", name),
                                     "Mean number of slots in use, a line for each schedule; the shares of "
                                     "slot time are in the legend") +
                          vertical_lines(ticks, chart_pixels) + area +
                          "</svg><i class=\"cursor\" hidden></i>";
  return fmt::format(
             "<figure class=\"use\" data-use=\"[{}]\" data-slots=\"{}\"><figcaption>{} slots in use "
             "<small>of {}</small></figcaption><div class=\"legend\">{}</div>",
             series, slots, name, count_text(slots), legend) +
         plot(gutter_ticks(count_ticks(slots)), svg, "levels") + plot("", axis_row(ticks)) + "</figure>";
}

}  // namespace

std::string use_section(const Analysis& analysis) {
  const SlotPool& pool = analysis.data->pool;
  if (analysis.schedules.empty() || analysis.jobs().empty()) return "";
  std::string charts;
  if (pool.map_slots > 0) charts += use_chart(analysis, Kind::map, pool.map_slots);
  if (pool.reduce_slots > 0) charts += use_chart(analysis, Kind::reduce, pool.reduce_slots);
  return section(
      "use", "Slot use over time",
      "Slots that hold a task; the figure beside each name is its share of all slot time until its end.",
      charts);
}

}  // namespace wavewright::report
