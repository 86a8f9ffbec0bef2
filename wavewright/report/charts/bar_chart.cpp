#include "wavewright/report/charts/bar_chart.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/report/charts/round_axis.h"
#include "wavewright/report/charts/svg.h"
#include "wavewright/report/page/html.h"

namespace wavewright {

namespace {

using namespace report;

constexpr double page_width = 860, left = 330, right = 26, above = 64, below = 48;
constexpr double across = page_width - left - right;
constexpr double row_height = 24, bar_height = 14, group_height = 26;
constexpr std::size_t longest_name = 48;

constexpr const char* style =
    "text{font:12px system-ui,'Liberation Sans',Arial,sans-serif;fill:#1c2230}"
    ".heading{font-weight:600;font-size:14px}.group{font-weight:600}.grid{stroke:#e6e8ec;fill:none}"
    ".zero{stroke:#596273;fill:none}.bar{fill:#4477aa}.less{fill:#ee6677}"
    ".interval{stroke:#1c2230;stroke-width:1.5;fill:none}"
    ".printed{stroke:#228833;stroke-width:2.5;stroke-dasharray:4 2;fill:none}";

RoundAxis axis_of(const BarChart& chart) {
  double least = 0, most = 0;
  bool any = false;
  const auto widen = [&](double value) {
    if (!std::isfinite(value)) throw UsageError("a chart cannot show what is not a number");
    least = std::min(least, value);
    most = std::max(most, value);
  };
  for (const BarGroup& group : chart.groups) {
    for (const Bar& bar : group.bars) {
      any = true;
      widen(bar.value);
      if (bar.interval) widen(bar.interval->first), widen(bar.interval->second);
      if (bar.printed) widen(*bar.printed);
    }
  }
  if (!any) throw UsageError("there is nothing to draw: " + chart.title);
  return {least, most};
}

std::string text_at(double x, double y, const std::string& content, const char* attributes) {
  return fmt::format(R"(<text x="{}" y="{}" {}>{}</text>)", number(x), number(y), attributes,
                     escape(content));
}

double place(const RoundAxis& axis, double value) {
  return left + across * axis.at(value);
}

// `top`: of the bar's row.
std::string bar_at(const Bar& bar, const RoundAxis& axis, double top) {
  const double zero = place(axis, 0), end = place(axis, bar.value), middle = top + row_height / 2;
  std::string svg = text_at(left - 8, middle + 4, shortened(bar.name, longest_name), "text-anchor=\"end\"");
  svg += fmt::format(R"(<rect x="{}" y="{}" width="{}" height="{}" class="{}"/>)",
                     number(std::min(zero, end)), number(middle - bar_height / 2),
                     number(std::abs(end - zero)), number(bar_height), bar.value < 0 ? "less" : "bar");
  if (bar.interval) {
    svg += Path()
               .line(place(axis, bar.interval->first), middle, place(axis, bar.interval->second), middle)
               .element("class=\"interval\"");
  }
  if (bar.printed) {
    const double x = place(axis, *bar.printed);
    svg += Path().line(x, top + 2, x, top + row_height - 2).element("class=\"printed\"");
  }
  return svg;
}

bool any_printed(const BarChart& chart) {
  return std::any_of(chart.groups.begin(), chart.groups.end(), [](const BarGroup& group) {
    return std::any_of(group.bars.begin(), group.bars.end(),
                       [](const Bar& bar) { return bar.printed.has_value(); });
  });
}

}  // namespace

std::string bar_chart_svg(const BarChart& chart) {
  const RoundAxis axis = axis_of(chart);
  std::string bars;
  double top = above;
  for (const BarGroup& group : chart.groups) {
    if (!group.name.empty()) {
      bars += text_at(16, top + 17, group.name, "class=\"group\"");
      top += group_height;
    }
    for (const Bar& bar : group.bars) {
      bars += bar_at(bar, axis, top);
      top += row_height;
    }
  }
  std::string svg = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img">)"
      R"(<title>{2}</title><style>{3}</style><rect width="{0}" height="{1}" fill="#fbfbfa"/>)",
      number(page_width), number(top + below), escape(chart.title), style);
  svg += text_at(16, 24, chart.title, "class=\"heading\"");
  if (any_printed(chart)) {
    svg += Path().line(24, 36, 24, 52).element("class=\"printed\"");
    svg += text_at(34, 48, "as the paper prints it", "");
  }
  for (const double value : axis.ticks()) {
    svg += Path().line(place(axis, value), above, place(axis, value), top).element("class=\"grid\"");
    svg += text_at(place(axis, value), top + 17, number(value), "text-anchor=\"middle\"");
  }
  svg += bars + Path().line(place(axis, 0), above, place(axis, 0), top).element("class=\"zero\"");
  svg += text_at(left + across / 2, top + 38, chart.along, "text-anchor=\"middle\"");
  return svg + "</svg>\n";
}

}  // namespace wavewright
