// Risk of the plan: histogram of the ends of draws, probability of the deadline, jobs that delay the end.
#include <algorithm>

#include <fmt/format.h>

#include "wavewright/core/apart.h"
#include "wavewright/report/charts/charts.h"
#include "wavewright/report/charts/palette.h"
#include "wavewright/report/charts/scale.h"
#include "wavewright/report/charts/svg.h"
#include "wavewright/report/page/html.h"
#include "wavewright/report/page/page.h"
#include "wavewright/report/page/panels.h"
#include "wavewright/report/sections/sections.h"
#include "wavewright/report/text.h"

namespace wavewright::report {

namespace {

constexpr double height = 180;
constexpr std::size_t jobs_listed = 10;
constexpr double far_away = 1.0;  // in ranges of the draws: farther marks are not drawn

// The time axis: all draws and the marks near them.
struct Window {
  double low = 0, high = 1;  // ms

  [[nodiscard]] double position(Duration at) const {
    return (static_cast<double>(at.count()) - low) / (high - low);
  }
  [[nodiscard]] bool holds(Duration at) const { return position(at) >= 0 && position(at) <= 1; }
  [[nodiscard]] std::vector<Tick> ticks(std::size_t most) const {
    const Duration step = nice_step(ms(static_cast<std::int64_t>(high - low)), most - 1);
    std::vector<Duration> at;
    for (auto k = static_cast<std::int64_t>(low / static_cast<double>(step.count()));; ++k) {
      if (static_cast<double>((k * step).count()) > high) break;
      if (holds(k * step)) at.push_back(k * step);
    }
    const std::vector<std::string> labels = format_apart(at);
    std::vector<Tick> ticks;
    ticks.reserve(at.size());
    for (std::size_t i = 0; i < at.size(); ++i) ticks.push_back({position(at[i]), labels[i]});
    return ticks;
  }
};

Window window_of(const ReportRisk& risk, const std::vector<Duration>& instants) {
  const Duration first = std::max(Duration{}, risk.above),
                 last = risk.above + static_cast<Count>(risk.counts.size()) * risk.step;
  const auto range = static_cast<double>((last - first).count());
  Window window{static_cast<double>(first.count()), static_cast<double>(last.count())};
  for (const Duration at : instants) {
    const auto place = static_cast<double>(at.count());
    if (place < static_cast<double>(first.count()) - far_away * range) continue;
    if (place > static_cast<double>(last.count()) + far_away * range) continue;
    window.low = std::min(window.low, place);
    window.high = std::max(window.high, place);
  }
  const double margin = (window.high - window.low) / 25;
  return {std::max(0.0, window.low - margin), window.high + margin};
}

std::string bars(const ReportRisk& risk, const Window& window, const Duration* deadline, Count most) {
  std::string svg;
  for (std::size_t bin = 0; bin < risk.counts.size(); ++bin) {
    if (risk.counts[bin] == 0) continue;
    const Duration from = risk.above + static_cast<Count>(bin) * risk.step, to = from + risk.step;
    const double x = std::max(0.0, window.position(from)) * chart_width;
    const double up = static_cast<double>(risk.counts[bin]) / static_cast<double>(most) * height;
    const std::vector<std::string> ends = format_apart({std::max(Duration{}, from), to});
    svg += Path()
               .rectangle(x, height - up, window.position(to) * chart_width - x, up)
               .element(fmt::format(R"(class="draws {}" data-tip="{} to {}: {} of {} draws")",
                                    deadline != nullptr && from >= *deadline ? "late" : "p1", ends[0],
                                    ends[1], count_text(risk.counts[bin]), count_text(risk.draws)));
  }
  return svg;
}

std::string upright(const Window& window, Duration at, std::string_view css_class) {
  if (!window.holds(at)) return "";
  const double x = window.position(at) * chart_width;
  return Path().line(x, 0, x, height).element(fmt::format("class=\"{}\"", css_class));
}

std::string picture(const Analysis& analysis, const ReportRisk& risk) {
  if (risk.counts.empty()) return "";
  const std::optional<Duration>& told = analysis.data->deadline;
  const Duration* const deadline = risk.meets && told ? &*told : nullptr;
  const Duration planned = analysis.subject().result->makespan;
  std::vector<Duration> instants = {planned, risk.p50, risk.p95};
  if (deadline != nullptr) instants.push_back(*deadline);
  const Window window = window_of(risk, instants);
  const auto quantiles = format_apart({risk.p50, risk.p95});
  const Count most = *std::max_element(risk.counts.begin(), risk.counts.end());
  const double share = static_cast<double>(most) / static_cast<double>(risk.draws);
  std::vector<Tick> levels = value_ticks(100 * share, 4);
  for (Tick& level : levels) level.label += " %";
  Path lines;
  for (const Tick& level : levels)
    lines.line(0, (1 - level.position) * height, chart_width, (1 - level.position) * height);
  std::string legend = key("p1", deadline != nullptr ? "draws in time" : "draws");
  if (deadline != nullptr) {
    legend += key("late", "late") +
              key("deadline", fmt::format("deadline <b>{}</b>{}", duration_text(*deadline),
                                          window.holds(*deadline) ? "" : ", outside the picture"));
  }
  legend += key("median", fmt::format("p50 <b>{}</b>", quantiles[0])) +
            key("p95", fmt::format("p95 <b>{}</b>", quantiles[1])) +
            key("limit", fmt::format("with the lengths as written <b>{}</b>", duration_text(planned)));
  const std::string area =
      open_chart(height, "Makespans of the draws", "A bar an interval of makespans, as high as draws in it") +
      lines.element("class=\"grid\"") + bars(risk, window, deadline, most) +
      upright(window, planned, "limit") + upright(window, risk.p50, "median") +
      upright(window, risk.p95, "p95") +
      (deadline != nullptr ? upright(window, *deadline, "deadline-line") : std::string()) + "</svg>";
  return fmt::format(R"(<figure class="risk"><div class="legend">{}</div>{}{}</figure>)", legend,
                     open_zoomable("draws") + plot(gutter_ticks(levels), area),
                     plot("<span class=\"level\">makespan</span>",
                          time_axis_row(window.ticks(8), ms(static_cast<std::int64_t>(window.low)),
                                        ms(static_cast<std::int64_t>(window.high)))) +
                         close_zoomable());
}

bool moves(const ReportRisk::Job& job) {
  return job.moves > Duration{};
}

// Jobs that move the end; bars show by how much.
std::string jobs_html(const Analysis& analysis, const ReportRisk& risk) {
  std::string rows;
  for (std::size_t i = 0; i < std::min(risk.jobs.size(), jobs_listed) && moves(risk.jobs[i]); ++i) {
    const ReportRisk::Job& job = risk.jobs[i];
    const double share = static_cast<double>(job.moves.count()) /
                         static_cast<double>(std::max<std::int64_t>(1, risk.jobs.front().moves.count()));
    const std::string colour = job_class(job.job, analysis.jobs().size());
    rows += fmt::format(
        R"(<tr data-j="{5}"><th scope="row"><i class="swatch {0}"></i>{1}</th><td class="bar"><div class="track"><i class="part {0}" style="left:0%;width:{2}%"></i></div></td>)"
        R"(<td class="n">{3}</td><td class="n">{4}</td></tr>)",
        colour, isolated(shortened(job_name(analysis.jobs()[job.job]), 40)), number(share * 100),
        change_text(job.moves), fmt::format("{} of draws", probability_text(job.critical)), job.job);
  }
  if (rows.empty()) return "";
  return fmt::format(
      R"(<table class="bars parted risks"><caption>What the end moves by on average where a job takes {} longer, and how often it is in the chain that decides the end</caption><tbody>{}</tbody></table>)",
      percent_text(risk.longer), rows);
}

}  // namespace

std::string risk_section(const Analysis& analysis) {
  const std::optional<ReportRisk>& risk = analysis.data->risk;
  if (!risk || analysis.schedules.empty()) return "";
  std::string text = fmt::format("The plan was tried on {} with task lengths of their own ({}). ",
                                 counted(risk->draws, "draw"), escape(risk->source));
  if (risk->meets && analysis.data->deadline) {
    text +=
        fmt::format("It meets the deadline of {} with a probability of <b>{}</b> (95 % interval {} to {}). ",
                    duration_text(*analysis.data->deadline), probability_text(risk->meets->probability),
                    probability_text(risk->meets->low), probability_text(risk->meets->high));
  }
  const auto quantiles = format_apart({risk->p50, risk->p95});
  if (risk->p50 < risk->p95) text += fmt::format("Half of them end within <b>{}</b>, ", quantiles[0]);
  text += fmt::format("95 % {}within <b>{}</b>.", risk->p50 < risk->p95 ? "" : "of them end ", quantiles[1]);
  if (!risk->jobs.empty() && moves(risk->jobs.front())) {
    const ReportRisk::Job& first = risk->jobs.front();
    text += fmt::format(" The largest risk is <b>{}</b>: {} longer, it moves the end by {} on average.",
                        isolated(shortened(job_name(analysis.jobs()[first.job]), 60)),
                        percent_text(risk->longer), duration_text(first.moves));
  }
  return section("risk", "How sure the end is", text, picture(analysis, *risk) + jobs_html(analysis, *risk));
}

}  // namespace wavewright::report
