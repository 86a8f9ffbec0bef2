// Profiles of the job names: a table whose middle column is a chart.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "wavewright/report/cells.h"
#include "wavewright/report/charts/charts.h"
#include "wavewright/report/charts/scale.h"
#include "wavewright/report/charts/svg.h"
#include "wavewright/report/page/html.h"
#include "wavewright/report/sections/sections.h"
#include "wavewright/report/text.h"

namespace wavewright::report {

namespace {

constexpr double row_pixels = 20;

struct NamedPhase {
  const char* name;
  const char* css_class;
  const PhaseProfile* phase;
};

std::array<NamedPhase, 4> phases(const JobProfile& profile) {
  return {{{"map", "map", &profile.map},
           {"first shuffle", "shuffle", &profile.first_shuffle},
           {"later shuffle", "shuffle", &profile.shuffle},
           {"reduce", "reduce", &profile.reduce}}};
}

Axis common_axis(const std::vector<JobProfile>& profiles) {
  Duration low = longest_duration, high{};
  for (const JobProfile& profile : profiles) {
    for (const NamedPhase& named : phases(profile)) {
      if (named.phase->empty()) continue;
      // The first quartile, not the minimum: one task of 0 ms must not stretch the axis.
      const Duration typical = std::max(named.phase->min, named.phase->quantile(0.25) / 4);
      if (typical > Duration{}) low = std::min(low, typical);
      high = std::max(high, named.phase->max);
    }
  }
  return Axis::fitting(std::min(low, std::max(high, ms(1))), high);
}

// A box plot: whiskers to the extremes, a box over the middle half, a line at the median, a dot at the mean.
std::string box(const NamedPhase& named, const Axis& axis, const std::vector<Tick>& ticks) {
  const PhaseProfile& phase = *named.phase;
  const auto x = [&](Duration value) { return axis.position(value) * chart_width; };
  const double middle = row_pixels / 2;
  const double left = x(phase.quantile(0.25)), right = x(phase.quantile(0.75)),
               median = x(phase.quantile(0.5));
  std::string svg = fmt::format(
      R"(<svg class="box {}" viewBox="0 0 1000 {}" preserveAspectRatio="none" style="height:{}px" aria-hidden="true">)",
      named.css_class, number(row_pixels), number(row_pixels));
  svg += vertical_lines(ticks, row_pixels);
  svg += Path()
             .line(x(phase.min), middle, x(phase.max), middle)
             .line(x(phase.min), middle - 3, x(phase.min), middle + 3)
             .line(x(phase.max), middle - 3, x(phase.max), middle + 3)
             .element("class=\"whisker\"");
  svg += Path().rectangle(left, middle - 6, std::max(3.0, right - left), 12).element("class=\"half\"");
  svg += Path().line(median, middle - 6, median, middle + 6).element("class=\"median\"");
  return svg + Path().dot(axis.position(phase.mean_ms) * chart_width, middle).element("class=\"mean\"") +
         "</svg>";
}

std::string phase_cells(const NamedPhase& named, const Axis& axis, const std::vector<Tick>& ticks) {
  const PhaseProfile& phase = *named.phase;
  const auto cell = [](Duration value, std::string_view css_class) {
    return fmt::format("<td class=\"n {}\">{}</td>", css_class, duration_text(value));
  };
  return fmt::format("<td class=\"phase\">{}</td><td class=\"n count\">{}</td><td class=\"chart\">{}</td>",
                     named.name, count_text(phase.count), box(named, axis, ticks)) +
         cell(phase.min, "extra") + cell(phase.quantile(0.25), "extra") +
         cell(phase.quantile(0.5), "strong") + cell(phase.quantile(0.75), "extra") + cell(phase.max, "") +
         cell(ms(std::llround(phase.mean_ms)), "extra");
}

std::string lost_attempts(const AttemptCounts& maps, const AttemptCounts& reduces) {
  std::string text;
  const auto add = [&](Count count, std::string_view what) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count_text(count), what);
  };
  add(maps.failed + reduces.failed, "failed");
  add(maps.killed + reduces.killed, "killed");
  add(maps.speculative + reduces.speculative, "speculative");
  return text.empty() ? "" : "<small>attempts left out: " + text + "</small>";
}

std::string runs_text(const JobProfile& profile) {
  std::string text = counted(profile.runs, "run");
  if (profile.failed_runs > 0) text += fmt::format(", {} failed", count_text(profile.failed_runs));
  if (profile.killed_runs > 0) text += fmt::format(", {} killed", count_text(profile.killed_runs));
  return "<small>" + text + "</small>";
}

// How far off estimates have been, and whether the job has changed.
std::string estimates_text(const TrackRecord& record) {
  std::string text;
  if (const std::string errors = record_text(record); !errors.empty())
    text += "<small>estimates: " + escape(errors) + "</small>";
  if (const std::string change = wavewright::change_text(record); !change.empty())
    text += "<small><b>has changed</b>: " + escape(change) + "</small>";
  return text;
}

// One table body per job name, one row per phase that was seen.
std::string profile_rows(const JobProfile& profile, const TrackRecord& record, const Axis& axis,
                         const std::vector<Tick>& ticks) {
  std::string rows;
  Count seen = 0;
  for (const NamedPhase& named : phases(profile)) seen += named.phase->empty() ? 0 : 1;
  const std::string name =
      fmt::format("<th scope=\"rowgroup\" rowspan=\"{}\">{}{}{}{}</th>", std::max<Count>(seen, 1),
                  isolated(shortened(profile.name, 40)), runs_text(profile), estimates_text(record),
                  lost_attempts(profile.map_attempts, profile.reduce_attempts));
  for (const NamedPhase& named : phases(profile)) {
    if (named.phase->empty()) continue;
    rows += "<tr>" + (rows.empty() ? name : std::string()) + phase_cells(named, axis, ticks) + "</tr>";
  }
  if (seen == 0) rows = "<tr>" + name + "<td colspan=\"9\">no successful run yet</td></tr>";
  return "<tbody>" + rows + "</tbody>";
}

}  // namespace

std::string profiles_section(const Analysis& analysis) {
  const std::vector<JobProfile>& profiles = analysis.data->profiles;
  if (profiles.empty()) return "";
  const Axis axis = common_axis(profiles);
  const std::vector<Tick> ticks = axis.ticks(6);
  std::string table = open_scroll("Durations by job and phase") +
                      "<table class=\"data profiles\"><thead><tr><th scope=\"col\">Job</th>"
                      "<th scope=\"col\">Phase</th><th scope=\"col\" class=\"n count\">Tasks</th>"
                      "<th scope=\"col\" class=\"chart\"><span class=\"unseen\">Durations as a "
                      "chart</span><div class=\"wide\">" +
                      axis_row(ticks) + "</div></th>";
  for (const char* name : {"Min", "25\u202F%"})
    table += fmt::format("<th scope=\"col\" class=\"n extra\">{}</th>", name);
  table +=
      "<th scope=\"col\" class=\"n\">Median</th><th scope=\"col\" class=\"n extra\">75\u202F%</th>"
      "<th scope=\"col\" class=\"n\">Max</th><th scope=\"col\" class=\"n extra\">Mean</th></tr></thead>";
  const std::map<std::string, TrackRecord>& records = analysis.data->records;
  for (const JobProfile& profile : profiles) {
    const auto record = records.find(profile.name);
    table += profile_rows(profile, record == records.end() ? TrackRecord{} : record->second, axis, ticks);
  }
  const std::string introduction = fmt::format(
      "Durations of successful attempts{}; failed, killed and speculative attempts are counted apart and "
      "never mixed in.",
      axis.logarithmic() ? " on a logarithmic axis" : "");
  const std::string legend = "<div class=\"legend chart-key\">" + key("whisker line", "min to max") +
                             key("half", "middle half") + key("median line", "median") +
                             key("meandot", "mean") + "</div>";
  return section("profiles", "What the histories say", introduction,
                 legend + table + "</table></div>" + fits_figures(analysis));
}

}  // namespace wavewright::report
