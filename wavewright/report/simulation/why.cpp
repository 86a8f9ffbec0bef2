// Parts of one job's time, as a bar and in rows.
#include <fmt/format.h>

#include "wavewright/report/html.h"
#include "wavewright/report/page.h"
#include "wavewright/report/simulation/sections.h"
#include "wavewright/report/svg.h"
#include "wavewright/report/text.h"

namespace wavewright::report {

namespace {

using What = TimePart::What;

// Waiting is grey, work has the colour of its kind, overheads have others.
std::string_view class_of(What what) {
  switch (what) {
    case What::predecessors:
    case What::first_slot:
    case What::master:
      return "w0";
    case What::map_waves:
    case What::reduce_slot:
      return "w1";
    case What::setup:
    case What::master_start:
    case What::launch:
    case What::processors:
      return "p3";
    case What::retries:
    case What::straggling:
      return "bad";
    case What::distance:
      return "w3";
    case What::map_work:
      return "map";
    case What::shuffle:
      return "shuffle";
    case What::reduce_work:
      return "reduce";
    case What::report:
    case What::commit:
      return "w2";
  }
  return "w0";
}

}  // namespace

std::string why_section(const SimulationView& view) {
  if (!view.data.why || view.data.why->explanation.parts.empty()) return "";
  const SimulationReport::Why& why = *view.data.why;
  Duration all{};
  for (const TimePart& part : why.explanation.parts) all += part.time;
  std::string bar, rows;
  double before = 0;
  for (const TimePart& part : why.explanation.parts) {
    const double share = static_cast<double>(part.time.count()) / static_cast<double>(all.count());
    const std::string what = to_string(part.what);
    const std::string_view css_class = class_of(part.what);
    bar += fmt::format(R"x(<i class="part {}" style="width:{}%" data-tip="{}: {} ({})"></i>)x", css_class,
                       number(share * 100), escape(what), duration_text(part.time), percent_text(share));
    rows += fmt::format(
        R"(<tr><th scope="row"><i class="swatch {}"></i>{}</th><td class="bar"><div class="track"><i class="part {}" style="left:{}%;width:{}%"></i></div></td>)"
        R"(<td class="n">{}</td><td class="n">{}</td></tr>)",
        css_class, escape(capitalised(what)), css_class, number(before * 100), number(share * 100),
        duration_text(part.time), percent_text(share));
    before += share;
  }
  std::string decisive;
  if (why.explanation.map)
    decisive += fmt::format(" Map {} ended last of its maps", count_text(*why.explanation.map));
  if (why.explanation.reduce)
    decisive += fmt::format("{} reduce {} decided the end", decisive.empty() ? " Of its reduces" : ",",
                            count_text(*why.explanation.reduce));
  const std::string introduction = fmt::format("From its submission to its end, {}.{}", duration_text(all),
                                               decisive.empty() ? "" : decisive + ". Tasks count from 0.");
  return section(
      "why", fmt::format("Why job {} took so long", shortened(view.jobs[why.job].id, 60)), introduction,
      fmt::format(R"(<div class="parts">{}</div><table class="bars parted"><tbody>{}</tbody></table>)", bar,
                  rows));
}

}  // namespace wavewright::report
