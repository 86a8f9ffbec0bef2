// What limits the plan: its critical chain as a bar and in rows.
#include <fmt/format.h>

#include "wavewright/report/charts/svg.h"
#include "wavewright/report/page/html.h"
#include "wavewright/report/page/page.h"
#include "wavewright/report/sections/sections.h"
#include "wavewright/report/text.h"

namespace wavewright::report {

namespace {

// Waiting for slots is grey, single tasks have the colours of their kind.
std::string_view class_of(const std::string& by) {
  if (by == "map") return "map";
  if (by == "reduce") return "reduce";
  return by == "map-slots" ? "w1" : by == "reduce-slots" ? "w2" : "w0";
}

}  // namespace

std::string limits_section(const Analysis& analysis) {
  const std::optional<ReportLimits>& limits = analysis.data->limits;
  if (!limits || limits->spans.empty()) return "";
  const auto all = static_cast<double>(limits->spans.back().to.count());
  std::string rows;
  for (const ReportSpan& span : limits->spans) {
    const double from = all > 0 ? static_cast<double>(span.from.count()) / all : 0;
    const double share = all > 0 ? static_cast<double>((span.to - span.from).count()) / all : 0;
    const std::string_view css_class = class_of(span.by);
    rows += fmt::format(
        R"(<tr><th scope="row"><i class="swatch {0}"></i>{1}</th><td class="bar"><div class="track"><i class="part {0}" style="left:{2}%;width:{3}%" data-tip="{1}: {4} to {5}"></i></div></td>)"
        R"(<td class="n">{6}</td><td class="n">{7}</td></tr>)",
        css_class, escape(capitalised(span.what)), number(from * 100), number(share * 100),
        duration_text(span.from), duration_text(span.to), duration_text(span.to - span.from),
        percent_text(share));
  }
  return section(
      "limits", "What decides the end", escape(limits->text),
      fmt::format(
          R"(<table class="bars parted" aria-label="What decides the end, in order of time"><tbody>{}</tbody></table>)",
          rows));
}

}  // namespace wavewright::report
