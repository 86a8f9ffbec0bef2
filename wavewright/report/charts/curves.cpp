#include "wavewright/report/charts/curves.h"

#include <algorithm>

#include <fmt/format.h>

#include "wavewright/report/charts/charts.h"
#include "wavewright/report/charts/svg.h"
#include "wavewright/report/page/html.h"

namespace wavewright::report {

namespace {

constexpr double curve_pixels = 150;

double height_of(double value, const CurveChart& chart) {
  return curve_pixels * (1 - std::min(1.0, value / chart.high));
}

// A step line from the first column to the last one that is not 0; `closed`: down to the axis.
std::string steps(const std::vector<double>& values, const CurveChart& chart, bool closed,
                  std::string_view attributes) {
  std::size_t end = values.size();
  while (end > 0 && values[end - 1] < 1e-9) --end;
  const double width = chart_width / static_cast<double>(values.size());
  Path path;
  path.move(0, curve_pixels);
  for (std::size_t i = 0; i < end; ++i) {
    const double y = height_of(values[i], chart);
    path.to(static_cast<double>(i) * width, y).to(static_cast<double>(i + 1) * width, y);
  }
  path.to(static_cast<double>(end) * width, curve_pixels);
  if (closed) path.close();
  return path.element(attributes);
}

// The area between two step lines: columns of equal height form one box.
std::string layer(const std::vector<double>& below, const std::vector<double>& above, const CurveChart& chart,
                  std::string_view css_class) {
  const double width = chart_width / static_cast<double>(above.size());
  Path path;
  for (std::size_t begin = 0, end = 0; begin < above.size(); begin = end) {
    while (end < above.size() && above[end] == above[begin] && below[end] == below[begin]) ++end;
    const double top = height_of(above[begin], chart), bottom = height_of(below[begin], chart);
    if (bottom - top < 0.01) continue;
    path.rectangle(static_cast<double>(begin) * width, top, static_cast<double>(end - begin) * width,
                   bottom - top);
  }
  return path.empty() ? "" : path.element(fmt::format("class=\"layer {}\"", css_class));
}

std::string limit(const CurveChart& chart) {
  if (chart.limit.empty()) return "";
  const double width = chart_width / static_cast<double>(chart.limit.size());
  Path path;
  path.move(0, height_of(chart.limit.front(), chart));
  for (std::size_t i = 0; i < chart.limit.size(); ++i) {
    const double y = height_of(chart.limit[i], chart);
    if (i > 0 && chart.limit[i] != chart.limit[i - 1]) path.to(static_cast<double>(i) * width, y);
    path.to(static_cast<double>(i + 1) * width, y);
  }
  return path.element("class=\"limit\"");
}

std::string shapes(const CurveChart& chart) {
  std::string html;
  if (!chart.stacked) {
    for (const Curve& curve : chart.curves) {
      if (curve.filled)
        html += steps(curve.values, chart, true, fmt::format("class=\"soft {}\"", curve.css_class));
      html += steps(curve.values, chart, false, fmt::format("class=\"curve {}\"", curve.css_class));
    }
    return html;
  }
  if (chart.curves.empty()) return html;
  std::vector<double> below(chart.curves.front().values.size(), 0.0);
  for (const Curve& curve : chart.curves) {
    std::vector<double> above = below;
    for (std::size_t i = 0; i < above.size(); ++i) above[i] += curve.values[i];
    html += layer(below, above, chart, curve.css_class);
    below = std::move(above);
  }
  return html;
}

std::string data_of(const CurveChart& chart) {
  std::string series, names;
  for (const Curve& curve : chart.curves) {
    std::string values;
    for (const double value : curve.values)
      values += fmt::format("{}{:.{}f}", values.empty() ? "" : ",", value, chart.decimals);
    series += fmt::format("{}[{}]", series.empty() ? "" : ",", values);
    names += fmt::format("{}{}", names.empty() ? "" : ",", json_string(curve.name));
  }
  return fmt::format(R"(data-use="[{}]" data-names="{}" data-unit="{}")", series,
                     escape(fmt::format("[{}]", names)), escape(chart.unit));
}

}  // namespace

std::string curve_figure(const CurveChart& chart, const std::vector<Tick>& time_ticks, Duration end) {
  std::string legend;
  for (const Curve& curve : chart.curves) {
    legend += key(fmt::format("{}{}", chart.stacked ? "" : "line ", curve.css_class),
                  escape(curve.name) + (curve.figure.empty() ? "" : fmt::format(" <b>{}</b>", curve.figure)));
  }
  if (!chart.limit.empty()) legend += key("line limit", "what is there");
  const std::string svg = open_chart(curve_pixels, chart.title, chart.description) +
                          vertical_lines(time_ticks, curve_pixels) + shapes(chart) + limit(chart) +
                          "</svg><i class=\"cursor\" hidden></i>";
  return fmt::format(R"(<figure class="use" {}><figcaption>{}</figcaption><div class="legend">{}</div>)",
                     data_of(chart), chart.caption, legend) +
         open_zoomable("time") + plot(gutter_ticks(chart.levels), svg, "levels") +
         plot("", time_axis_row(time_ticks, Duration{}, end)) + close_zoomable() + "</figure>";
}

double peak(const CurveChart& chart) {
  std::vector<double> sums;
  double highest = 0;
  for (const Curve& curve : chart.curves) {
    sums.resize(std::max(sums.size(), curve.values.size()), 0.0);
    for (std::size_t i = 0; i < curve.values.size(); ++i) {
      sums[i] = chart.stacked ? sums[i] + curve.values[i] : curve.values[i];
      highest = std::max(highest, sums[i]);
    }
  }
  return highest;
}

void fit_levels(CurveChart& chart, double least) {
  chart.high = std::max({peak(chart) * 1.04, least, 1e-9});
  chart.levels = value_ticks(chart.high, 4);
}

}  // namespace wavewright::report
