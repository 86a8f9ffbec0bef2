// Where the time of jobs went, as a bar and in rows, or why they are not done.
#include <algorithm>

#include <fmt/format.h>

#include "wavewright/report/cells.h"
#include "wavewright/report/charts/svg.h"
#include "wavewright/report/page/html.h"
#include "wavewright/report/page/page.h"
#include "wavewright/report/page/panels.h"
#include "wavewright/report/simulation/sections.h"
#include "wavewright/report/text.h"
#include "wavewright/sim/metrics/explain.h"

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

// The jobs to explain, at most `why_limit`: then those that took longest, in submission order.
std::vector<JobIndex> explained(const SimulationView& view) {
  std::vector<JobIndex> jobs = view.data.why;
  if (jobs.size() <= why_limit) return jobs;
  const auto took = [&](JobIndex job) {
    return view.result().jobs[job].finish - view.result().jobs[job].submit;
  };
  std::stable_sort(jobs.begin(), jobs.end(), [&](JobIndex a, JobIndex b) { return took(a) > took(b); });
  jobs.resize(why_limit);
  std::sort(jobs.begin(), jobs.end());
  return jobs;
}

// The name with the id, as several jobs may have the name.
std::string named(const ReportJob& job) {
  const std::string id = shortened(job.id, 60);
  return job.name.empty() || job.name == job.id ? id : fmt::format("{} ({})", shortened(job.name, 60), id);
}

// A section: `why` for the first job, `why-2` for the second …
std::string part_of(std::size_t place, const std::string& heading, const std::string& introduction,
                    const std::string& content) {
  return section(place == 0 ? "why" : fmt::format("why-{}", place + 1), heading, introduction, content);
}

std::string why_done(const SimulationView& view, const Explanation& found, JobIndex job, std::size_t place) {
  if (found.parts.empty()) return "";
  Duration all{};
  for (const TimePart& part : found.parts) all += part.time;
  std::string bar, rows;
  double before = 0;
  for (const TimePart& part : found.parts) {
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
  if (found.map) decisive += fmt::format(" Map {} ended last of its maps", count_text(*found.map));
  if (found.reduce)
    decisive += fmt::format("{} reduce {} decided the end", decisive.empty() ? " Of its reduces" : ",",
                            count_text(*found.reduce));
  const std::string introduction = fmt::format("From its submission to its end, {}.{}", duration_text(all),
                                               decisive.empty() ? "" : decisive + ". Tasks count from 0.");
  return part_of(
      place, fmt::format("Why job {} took so long", named(view.jobs[job])), introduction,
      fmt::format(R"(<div class="parts">{}</div><table class="bars parted"><tbody>{}</tbody></table>)", bar,
                  rows));
}

std::string why_failed(const SimulationView& view, const JobFailure& failure, JobIndex job,
                       std::size_t place) {
  std::string rows;
  for (const TaskRecord& each : failure.attempts) {
    const std::string node = view.result().nodes.empty() ? "pool" : view.result().nodes.at(each.node);
    rows += fmt::format("<tr><td class=\"n\">{}</td><td>{}</td>{}{}</tr>", each.attempt,
                        isolated(shortened(node, 60)), time_cell(each.start), time_cell(each.end));
  }
  const std::string times =
      failure.attempts.size() == 1
          ? "once"
          : fmt::format("{} times", count_text(static_cast<Count>(failure.attempts.size())));
  return part_of(
      place, fmt::format("Why job {} failed", named(view.jobs[job])),
      fmt::format("It failed at {}. Its {} {} failed {}, as often as a task may. Tasks count from 0.",
                  duration_text(failure.known - Time{}), name_of(failure.kind), count_text(failure.task),
                  times),
      "<table><thead><tr><th>Attempt</th><th>Node</th><th>Started</th><th>Failed</th></tr></thead><tbody>" +
          rows + "</tbody></table>");
}

std::string why_rejected(const SimulationView& view, JobIndex job, std::size_t place) {
  const Reason& reason = view.result().rejections.at(job);
  return part_of(place, fmt::format("Why job {} was rejected", named(view.jobs[job])),
                 fmt::format("{} ({}).", escape(capitalised(reason.text)), escape(reason.code)), "");
}

}  // namespace

std::string why_section(const SimulationView& view) {
  if (view.data.why.empty()) return "";
  const Explainer explainer(view.result(), view.workload(), view.cluster());
  std::string html;
  std::size_t place = 0;
  for (const JobIndex job : explained(view)) {
    const JobOutcome& outcome = view.result().jobs[job];
    if (outcome.unfinished) continue;
    const std::string one = outcome.rejected ? why_rejected(view, job, place)
                            : outcome.failed ? why_failed(view, explainer.failure(job), job, place)
                                             : why_done(view, explainer.explain(job), job, place);
    place += one.empty() ? 0 : 1;
    html += one;
  }
  return html;
}

}  // namespace wavewright::report
