#include "wavewright/report/charts/line_chart.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/report/charts/round_axis.h"
#include "wavewright/report/charts/svg.h"
#include "wavewright/report/page/html.h"

namespace wavewright {

namespace {

using namespace report;

constexpr double width = 720, height = 430;
constexpr double left = 66, right = 16, above = 74, below = 52;
constexpr double across = width - left - right, up = height - above - below;

// Colours of Paul Tol's `bright` that are distinct on white.
constexpr std::array<const char*, 6> colours = {"#4477aa", "#ee6677", "#228833",
                                                "#b8860b", "#aa3377", "#66ccee"};

constexpr const char* style =
    "text{font:12px system-ui,'Liberation Sans',Arial,sans-serif;fill:#1c2230}"
    ".heading{font-weight:600;font-size:14px}.frame{fill:#fff;stroke:#b8bec9}"
    ".grid{stroke:#e6e8ec;fill:none}.zero{stroke:#596273;fill:none}.line{fill:none;stroke-width:2}"
    ".printed{fill:none;stroke-width:1.5;stroke-dasharray:6 4}.interval{stroke-width:1;opacity:.6}";

void widen(const std::vector<LinePoint>& points, std::array<double, 4>& box) {
  for (const LinePoint& point : points) {
    if (!std::isfinite(point.x) || !std::isfinite(point.y))
      throw UsageError("a chart cannot show what is not a number");
    box = {std::min(box[0], point.x), std::max(box[1], point.x), std::min(box[2], point.y),
           std::max(box[3], point.y)};
    if (point.interval) {
      box[2] = std::min(box[2], point.interval->first);
      box[3] = std::max(box[3], point.interval->second);
    }
  }
}

std::string text_at(double x, double y, const std::string& content, const char* attributes) {
  return fmt::format(R"(<text x="{}" y="{}" {}>{}</text>)", number(x), number(y), attributes,
                     escape(content));
}

class Drawing {
 public:
  Drawing(RoundAxis x, RoundAxis y) : x_(x), y_(y) {}

  [[nodiscard]] std::string frame() const {
    std::string svg = fmt::format(R"(<rect x="{}" y="{}" width="{}" height="{}" class="frame"/>)",
                                  number(left), number(above), number(across), number(up));
    for (const double value : y_.ticks()) {
      svg += Path().line(left, y(value), left + across, y(value)).element("class=\"grid\"");
      svg += text_at(left - 6, y(value) + 4, number(value), "text-anchor=\"end\"");
    }
    for (const double value : x_.ticks()) {
      svg += text_at(x(value), above + up + 17, number(value), "text-anchor=\"middle\"");
    }
    if (y_.low < 0) svg += Path().line(left, y(0), left + across, y(0)).element("class=\"zero\"");
    return svg;
  }

  [[nodiscard]] std::string line(const std::vector<LinePoint>& points, const char* colour,
                                 const char* css_class) const {
    if (points.empty()) return {};
    Path path;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (i == 0) {
        path.move(x(points[i].x), y(points[i].y));
      } else {
        path.to(x(points[i].x), y(points[i].y));
      }
    }
    std::string svg = path.element(fmt::format("class=\"{}\" stroke=\"{}\"", css_class, colour));
    for (const LinePoint& point : points) {
      if (!point.interval) continue;
      const double place = x(point.x);
      svg += Path()
                 .line(place, y(point.interval->first), place, y(point.interval->second))
                 .element(fmt::format("class=\"interval\" stroke=\"{}\"", colour));
    }
    return svg;
  }

 private:
  [[nodiscard]] double x(double value) const { return left + across * x_.at(value); }
  [[nodiscard]] double y(double value) const { return above + up * (1 - y_.at(value)); }

  RoundAxis x_, y_;
};

std::string legend(const LineChart& chart) {
  std::string svg;
  double x = left;
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    const char* colour = colours[i % colours.size()];
    svg += Path().line(x, 50, x + 24, 50).element(fmt::format("class=\"line\" stroke=\"{}\"", colour));
    const std::string& name = chart.lines[i].name;
    svg += text_at(x + 30, 54, name, "");
    x += 48 + 7 * static_cast<double>(length(clean_utf8(name)));
  }
  if (std::any_of(chart.lines.begin(), chart.lines.end(),
                  [](const ChartLine& line) { return !line.printed.empty(); })) {
    svg += Path().line(x, 50, x + 24, 50).element("class=\"printed\" stroke=\"#596273\"");
    svg += text_at(x + 30, 54, "as the paper prints it", "");
  }
  return svg;
}

}  // namespace

std::string line_chart_svg(const LineChart& chart) {
  constexpr double far = 1e300;
  std::array<double, 4> box = {far, -far, 0, 0};  // the value axis shows 0
  for (const ChartLine& line : chart.lines) {
    widen(line.points, box);
    widen(line.printed, box);
  }
  if (box[0] > box[1]) throw UsageError("there is nothing to draw: " + chart.title);
  const Drawing drawing({std::min(0.0, box[0]), box[1]}, {box[2], box[3]});
  std::string svg = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img">)"
      R"(<title>{2}</title><style>{3}</style><rect width="{0}" height="{1}" fill="#fbfbfa"/>)",
      number(width), number(height), escape(chart.title), style);
  svg += text_at(left, 24, chart.title, "class=\"heading\"") + drawing.frame() + legend(chart);
  svg += text_at(left + across / 2, height - 14, chart.across, "text-anchor=\"middle\"");
  svg += fmt::format("<g transform=\"translate(16 {}) rotate(-90)\">{}</g>", number(above + up / 2),
                     text_at(0, 0, chart.up, "text-anchor=\"middle\""));
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    const char* colour = colours[i % colours.size()];
    svg += drawing.line(chart.lines[i].printed, colour, "printed");
    svg += drawing.line(chart.lines[i].points, colour, "line");
  }
  return svg + "</svg>\n";
}

}  // namespace wavewright
