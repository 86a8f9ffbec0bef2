// Lengths over input: points, the fitted line, and its prediction band [CLOUD figs 3.3, 3.4].
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wavewright/report/charts/charts.h"
#include "wavewright/report/charts/scale.h"
#include "wavewright/report/charts/svg.h"
#include "wavewright/report/page/html.h"
#include "wavewright/report/sections/sections.h"
#include "wavewright/report/text.h"

namespace wavewright::report {

namespace {

constexpr double height = 170;
constexpr std::size_t figures_at_most = 24;
constexpr int band_steps = 24;

// Both axes start at 0, so that the intercept is visible.
struct Frame {
  double most_x = 1;
  Axis lengths = Axis::linear(ms(1));

  [[nodiscard]] double x(double bytes) const { return bytes / most_x * chart_width; }
  [[nodiscard]] double y(double length_ms) const { return (1 - lengths.position(length_ms)) * height; }
};

Frame frame_of(const PhaseFit& fitted) {
  Frame frame;
  double longest = 1;
  for (const FitPoint& point : fitted.points) {
    frame.most_x = std::max(frame.most_x, point.x * 1.1);
    longest = std::max(longest, point.y);
  }
  const LinearFit& line = *fitted.line;
  // The band is cut if it would flatten the points.
  const double band = line.at(frame.most_x) + line.prediction_margin(frame.most_x);
  frame.lengths = Axis::linear(ms(std::llround(std::clamp(band, 1.15 * longest, 2.5 * longest))));
  return frame;
}

std::vector<Tick> byte_ticks(const Frame& frame) {
  double step = 1;
  while (frame.most_x / step > 4) step *= 2;  // powers of two are round numbers of bytes
  std::vector<Tick> ticks;
  for (double bytes = 0; bytes <= frame.most_x; bytes += step) {
    ticks.push_back({bytes / frame.most_x, bytes > 0 ? format_bytes({std::llround(bytes)}) : "0"});
  }
  return ticks;
}

std::string band(const LinearFit& line, const Frame& frame) {
  Path path;
  const auto edge = [&](int step, double sign) {
    const double bytes = frame.most_x * step / band_steps;
    return std::pair(frame.x(bytes),
                     frame.y(std::max(0.0, line.at(bytes) + sign * line.prediction_margin(bytes))));
  };
  for (int i = 0; i <= band_steps; ++i) {
    const auto [x, y] = edge(i, 1);
    i == 0 ? path.move(x, y) : path.to(x, y);
  }
  for (int i = band_steps; i >= 0; --i) {
    const auto [x, y] = edge(i, -1);
    path.to(x, y);
  }
  return path.close().element("class=\"band\"");
}

std::string caption(const ReportFit& fitted) {
  const LinearFit& line = *fitted.phase.line;
  return fmt::format("{}: {} <small>{} runs, R² {:.2f}{}</small>", isolated(shortened(fitted.name, 40)),
                     escape(fitted.phase.phase), line.points, line.r2,
                     fitted.phase.flags.empty()
                         ? ""
                         : "; " + escape(fmt::format("{}", fmt::join(fitted.phase.flags, "; "))));
}

std::string figure(const ReportFit& fitted) {
  const Frame frame = frame_of(fitted.phase);
  const LinearFit& line = *fitted.phase.line;
  const std::vector<Tick> across = byte_ticks(frame);
  const std::vector<Tick> up = frame.lengths.ticks(4);
  std::string area =
      open_chart(height, "Mean length of a task against input", "A dot a run, the fitted line and its band");
  area += band(line, frame) + vertical_lines(across, height);
  Path lines;
  for (const Tick& tick : up) {
    lines.line(0, (1 - tick.position) * height, chart_width, (1 - tick.position) * height);
  }
  area += lines.element("class=\"grid\"");
  area += Path()
              .line(0, frame.y(std::max(0.0, line.at(0))), chart_width,
                    frame.y(std::max(0.0, line.at(frame.most_x))))
              .element("class=\"diagonal\"");
  for (const FitPoint& point : fitted.phase.points) {
    area += Path().dot(frame.x(point.x), frame.y(point.y)).element("class=\"dot\"");
  }
  return "<figure class=\"fit\"><figcaption>" + caption(fitted) + "</figcaption>" +
         plot(gutter_ticks(up), area + "</svg>") + plot("", axis_row(across)) + "</figure>";
}

}  // namespace

std::string fits_figures(const Analysis& analysis) {
  const std::vector<ReportFit>& fits = analysis.data->fits;
  if (fits.empty()) return "";
  std::string html = "<h3>Lengths against input</h3><div class=\"legend\">" + key("dotted", "a run's mean") +
                     key("diagonal line", "fitted line") + key("band", "95\u202F% of further runs") +
                     "</div><div class=\"fits\">";
  for (std::size_t i = 0; i < std::min(fits.size(), figures_at_most); ++i) html += figure(fits[i]);
  return html + "</div>";
}

}  // namespace wavewright::report
