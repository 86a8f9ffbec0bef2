#include "wavewright/report/charts/charts.h"

#include <algorithm>

#include <fmt/format.h>

#include "wavewright/report/charts/svg.h"
#include "wavewright/report/page/html.h"

namespace wavewright::report {

namespace {

constexpr double character_share = 6.8 / 480;  // of the narrowest supported plot

double visible_length(std::string_view html) {
  std::size_t seen = 0;
  bool tag = false;
  for (const char c : html) {
    if (c == '<') tag = true;
    if (!tag) ++seen;
    if (c == '>') tag = false;
  }
  return static_cast<double>(seen);
}

}  // namespace

std::string pin(double position, std::string_view html, std::string_view css_class) {
  // nearer to the edge it would overlap it
  const double edge = std::min(0.5, visible_length(html) * character_share / 2);
  const std::string_view side = position < edge ? " start" : position > 1 - edge ? " end" : "";
  return fmt::format(R"(<span class="pin {}{}" style="left:{}%">{}</span>)", css_class, side,
                     number(position * 100), html);
}

namespace {

std::string axis_of(const std::vector<Tick>& ticks, std::string_view attributes) {
  std::string row = fmt::format("<div class=\"axis\"{}>", attributes);
  for (const Tick& tick : ticks) {
    row += fmt::format(R"(<span class="pin{}" style="left:{}%">{}</span>)",
                       tick.position > 0.97 ? " end"
                       : tick.position <= 0 ? " start"
                                            : "",
                       number(tick.position * 100), tick.label);
  }
  return row + "</div>";
}

}  // namespace

std::string axis_row(const std::vector<Tick>& ticks) {
  return axis_of(ticks, "");
}

std::string time_axis_row(const std::vector<Tick>& ticks, Duration start, Duration end) {
  return axis_of(ticks, fmt::format(" data-start=\"{}\" data-end=\"{}\"", start.count(), end.count()));
}

std::string open_zoomable(std::string_view name) {
  return fmt::format(R"(<div class="zoomable" data-zoom="{}"><div class="canvas">)", name);
}

std::string close_zoomable() {
  return "</div></div>";
}

std::string vertical_lines(const std::vector<Tick>& ticks, double height) {
  Path lines;
  for (const Tick& tick : ticks) {
    const double x = tick.position * chart_width;
    lines.line(x, 0, x, height);
  }
  return lines.element("class=\"grid\"");
}

std::string gutter_ticks(const std::vector<Tick>& ticks) {
  std::string labels;
  for (const Tick& tick : ticks) {
    labels += fmt::format(R"(<span class="level" style="bottom:{}%">{}</span>)", number(tick.position * 100),
                          tick.label);
  }
  return labels;
}

std::string plot(std::string_view gutter, std::string_view area, std::string_view css_class) {
  return fmt::format(R"(<div class="plot {}"><div class="gutter">{}</div><div class="area">{}</div></div>)",
                     css_class, gutter, area);
}

std::string tile(std::string_view label, std::string_view value, std::string_view note,
                 std::string_view css_class) {
  return fmt::format(
      R"(<div class="tile {}"><dt>{}</dt><dd class="value">{}</dd><dd class="note">{}</dd></div>)", css_class,
      escape(label), escape(value), note);
}

std::string key(std::string_view css_class, std::string_view html) {
  return fmt::format(R"(<span class="key"><i class="swatch {}"></i>{}</span>)", css_class, html);
}

}  // namespace wavewright::report
