// Makespan over the number of slots: one dot per plan, lower bounds, the knee and a deadline.
#include <algorithm>

#include <fmt/format.h>

#include "wavewright/report/charts/charts.h"
#include "wavewright/report/charts/scale.h"
#include "wavewright/report/charts/svg.h"
#include "wavewright/report/page/html.h"
#include "wavewright/report/page/page.h"
#include "wavewright/report/sections/sections.h"
#include "wavewright/report/text.h"

namespace wavewright::report {

namespace {

constexpr double height = 260;

// Both axes start at 0, so that a half looks like a half.
struct Frame {
  Count high = 1;
  Axis times = Axis::linear(ms(1));

  [[nodiscard]] double x(Count slots) const {
    return static_cast<double>(slots) / static_cast<double>(high) * chart_width;
  }
  [[nodiscard]] double y(Duration time) const { return (1 - times.position(time)) * height; }
};

Frame frame_of(const ReportCurve& curve, std::optional<Duration> deadline) {
  Duration longest = ms(1);
  for (const ReportCurve::Point& point : curve.points) longest = std::max(longest, point.value);
  if (deadline && *deadline < longest * 2) longest = std::max(longest, *deadline);
  return {curve.points.back().slots, Axis::linear(longest + longest / 20)};
}

std::string tip(const ReportCurve& curve, const ReportCurve::Point& point) {
  return fmt::format("{} {}: {} map + {} reduce\n{} {}\nno plan below {}{}", count_text(point.slots),
                     curve.axis, count_text(point.pool.map_slots), count_text(point.pool.reduce_slots),
                     curve.value, duration_text(point.value), duration_text(point.bound),
                     point.idle ? "\nsome slots stay idle" : "");
}

template <class Height>
std::string line(const ReportCurve& curve, const Frame& frame, Height height_of,
                 std::string_view attributes) {
  Path path;
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const double x = frame.x(curve.points[i].slots), y = frame.y(height_of(curve.points[i]));
    i == 0 ? path.move(x, y) : path.to(x, y);
  }
  return path.element(attributes);
}

std::string shapes(const ReportCurve& curve, const Frame& frame, std::optional<Duration> deadline) {
  std::string svg;
  Path levels;
  for (const Tick& tick : frame.times.ticks(5)) {
    levels.line(0, (1 - tick.position) * height, chart_width, (1 - tick.position) * height);
  }
  svg += levels.element("class=\"grid\"");
  svg += line(curve, frame, [](const auto& point) { return point.bound; }, "class=\"bound-line\"");
  svg += line(curve, frame, [](const auto& point) { return point.value; }, "class=\"curve p1\"");
  if (deadline && *deadline <= ms(static_cast<std::int64_t>(frame.times.high_ms()))) {
    const double y = frame.y(*deadline);
    svg += Path().line(0, y, chart_width, y).element("class=\"deadline-line\"");
  }
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const ReportCurve::Point& point = curve.points[i];
    const double x = frame.x(point.slots), y = frame.y(point.value);
    const bool knee = i == curve.knee;
    if (knee) svg += Path().line(x, y, x, height).element("class=\"knee-line\"");
    svg += Path().dot(x, y).element(fmt::format("class=\"dot{}{}\" data-tip=\"{}\"", knee ? " knee-dot" : "",
                                                point.idle ? " idle" : "", escape(tip(curve, point))));
  }
  return svg;
}

std::string legend(const ReportCurve& curve, std::optional<Duration> deadline) {
  std::string html = key("dotted", escape(curve.value) + " of the best plan found") +
                     key("bound-line", "proven lower bound");
  if (curve.knee) {
    const ReportCurve::Point& knee = curve.points[*curve.knee];
    html += key("knee", fmt::format("knee: {} at <b>{} {}</b>", duration_text(knee.value),
                                    count_text(knee.slots), escape(curve.axis)));
  }
  if (deadline) html += key("deadline", fmt::format("deadline <b>{}</b>", duration_text(*deadline)));
  return html;
}

// Where the curve first meets the deadline, and what is proven about smaller pools.
std::string deadline_text(const ReportCurve& curve, Duration deadline) {
  const auto& points = curve.points;
  const auto first =
      std::find_if(points.begin(), points.end(), [&](const auto& point) { return point.value <= deadline; });
  const std::string limit = duration_text(deadline);
  if (first == points.end()) {
    return points.back().bound > deadline
               ? fmt::format(" No plan on these pools meets the deadline of {}.", limit)
               : fmt::format(" No plan found meets the deadline of {}; that none exists is not proven.",
                             limit);
  }
  const std::string text = fmt::format(" The deadline of {} is met from <b>{} {}</b> on", limit,
                                       count_text(first->slots), escape(curve.axis));
  if (first == points.begin()) return text + ".";
  const auto& before = *std::prev(first);
  return text +
         fmt::format("; with {} {}.", count_text(before.slots),
                     before.bound > deadline ? "no plan meets it" : "none was found, which is no proof");
}

}  // namespace

std::string slots_section(const Analysis& analysis) {
  const std::optional<ReportCurve>& curve = analysis.data->curve;
  if (!curve || curve->points.empty()) return "";
  const std::optional<Duration> deadline =
      curve->value == "makespan" ? analysis.data->deadline : std::nullopt;
  const Frame frame = frame_of(*curve, deadline);
  std::string introduction = "Each dot is a plan for a pool of that size.";
  if (curve->knee) {
    introduction +=
        " At the knee the curve lies farthest below the line from its first point to its last: behind it "
        "slots "
        "bring less.";
  }
  if (deadline) introduction += deadline_text(*curve, *deadline);
  const std::vector<Tick> across = value_ticks(static_cast<double>(frame.high), 9);
  const std::string area =
      open_chart(height, capitalised(curve->value) + " over " + curve->axis,
                 "A dot a plan, a line through them, and the proven lower bounds below") +
      vertical_lines(across, height) + shapes(*curve, frame, deadline) + "</svg>";
  return section(
      "slots", fmt::format("{} over {}", capitalised(curve->value), curve->axis), introduction,
      fmt::format(R"(<figure class="slots{}"><div class="legend">{}</div>{}{}</figure>)",
                  curve->points.size() > 60 ? " many" : "", legend(*curve, deadline),
                  plot(gutter_ticks(frame.times.ticks(5)), area),
                  plot("<span class=\"level\">" + escape(curve->axis) + "</span>", axis_row(across))));
}

}  // namespace wavewright::report
