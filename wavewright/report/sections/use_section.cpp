// Slots in use over time, all schedules on one chart.

#include <fmt/format.h>

#include "wavewright/report/charts/curves.h"
#include "wavewright/report/charts/grid.h"
#include "wavewright/report/sections/sections.h"
#include "wavewright/report/text.h"

namespace wavewright::report {

namespace {

double utilisation(const Analysis& analysis, const ScheduleView& view, Kind kind) {
  return kind == Kind::map ? view.result->map_utilisation(analysis.data->pool)
                           : view.result->reduce_utilisation(analysis.data->pool);
}

std::string use_chart(const Analysis& analysis, Kind kind, Count slots) {
  const std::string_view name = kind == Kind::map ? "Map" : "Reduce";
  CurveChart chart;
  chart.caption = fmt::format("{} slots in use <small>of {}</small>", name, count_text(slots));
  chart.title = fmt::format("{} slots in use over time", name);
  chart.description =
      "Mean number of slots in use, a line for each schedule; the shares of slot time are in the legend";
  chart.unit = fmt::format(" of {}", slots);
  chart.high = static_cast<double>(slots);
  chart.levels = count_ticks(slots);
  for (std::size_t i = 0; i < analysis.schedules.size(); ++i) {
    const ScheduleView& view = analysis.schedules[i];
    if (!analysis.same_slots(view)) continue;
    chart.curves.push_back(
        {capitalised(view.label), percent_text(utilisation(analysis, view, kind)), schedule_class(i),
         &view == &analysis.subject(),
         use_over_time(kind == Kind::map ? view.maps : view.reduces, analysis.horizon, curve_columns)});
  }
  return curve_figure(chart, Axis::linear(analysis.horizon).ticks(8), analysis.horizon);
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
