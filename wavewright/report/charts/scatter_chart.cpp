#include "wavewright/report/charts/scatter_chart.h"

#include <algorithm>

#include <fmt/format.h>

#include "wavewright/report/charts/charts.h"
#include "wavewright/report/charts/svg.h"
#include "wavewright/report/page/html.h"

namespace wavewright::report {

namespace {

constexpr double chart_height = 340;

double part(double value, double least, double most) {
  return std::clamp((value - least) / (most - least), 0.0, 1.0);
}

class Plane {
 public:
  explicit Plane(const Scatter& data) : data_(data) {}

  [[nodiscard]] std::string shapes() const {
    Path levels;
    for (const Tick& tick : data_.up)
      levels.line(0, (1 - tick.position) * chart_height, chart_width, (1 - tick.position) * chart_height);
    std::string svg = levels.element("class=\"grid\"");
    if (data_.limit_x)
      svg += Path()
                 .line(x(*data_.limit_x), 0, x(*data_.limit_x), chart_height)
                 .element("class=\"deadline-line\"");
    if (data_.bound_y)
      svg +=
          Path().line(0, y(*data_.bound_y), chart_width, y(*data_.bound_y)).element("class=\"bound-line\"");
    svg += frontier_line();
    for (auto dot = data_.dots.rbegin(); dot != data_.dots.rend(); ++dot) {
      if (dot->best) svg += Path().dot(x(dot->x), y(dot->y)).element("class=\"dot best\"");
      svg += Path()
                 .dot(x(dot->x), y(dot->y))
                 .element(fmt::format("class=\"dot f{}\" data-tip=\"{}\"", dot->colour, escape(dot->tip)));
    }
    return svg;
  }

 private:
  [[nodiscard]] double x(double value) const {
    return part(value, data_.least_x, data_.most_x) * chart_width;
  }
  [[nodiscard]] double y(double value) const {
    return (1 - part(value, data_.least_y, data_.most_y)) * chart_height;
  }
  // For each value across the lowest dot that is no further to the right.
  [[nodiscard]] std::string frontier_line() const {
    Path path;
    double before = chart_width;
    for (const ScatterDot& dot : data_.dots) {
      if (!dot.frontier) continue;
      path.empty() ? path.move(before, y(dot.y)) : path.to(before, y(dot.y));
      path.to(x(dot.x), y(dot.y));
      before = x(dot.x);
    }
    return path.element("class=\"curve p0\"");
  }

  const Scatter& data_;
};

}  // namespace

std::string scatter_figure(const Scatter& data) {
  const std::string area = open_chart(chart_height, data.title, data.description) +
                           vertical_lines(data.across, chart_height) + Plane(data).shapes() + "</svg>";
  return fmt::format(R"(<figure class="frontier"><div class="legend">{}</div>{}{}</figure>)", data.legend,
                     plot("<b>" + data.unit_y + "</b>" + gutter_ticks(data.up), area),
                     plot("<span class=\"level\">" + data.unit_x + "</span>", axis_row(data.across)));
}

}  // namespace wavewright::report
