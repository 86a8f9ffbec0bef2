// The summary: a headline, its figures, and the schedules as bars.
#include <algorithm>

#include <fmt/format.h>

#include "wavewright/report/charts/charts.h"
#include "wavewright/report/charts/svg.h"
#include "wavewright/report/page/html.h"
#include "wavewright/report/page/panels.h"
#include "wavewright/report/prediction.h"
#include "wavewright/report/sections/sections.h"
#include "wavewright/report/text.h"

namespace wavewright::report {

namespace {

std::string bold(std::string_view text) {
  return fmt::format("<b>{}</b>", escape(text));
}

std::string bound_clause(const Analysis& analysis) {
  if (!analysis.has_bound()) return "";
  const double above = gap(analysis, analysis.subject());
  if (above <= 0) return ". It meets the proven lower bound: no schedule is shorter";
  return fmt::format(", at most {} above the proven lower bound", bold(percent_above_text(above)));
}

bool is_late(const Analysis& analysis) {
  return analysis.data->deadline && analysis.subject().result->makespan > *analysis.data->deadline;
}

std::string deadline_tile(const Analysis& analysis) {
  const Duration deadline = *analysis.data->deadline, end = analysis.subject().result->makespan;
  return tile("Deadline", duration_text(deadline),
              is_late(analysis) ? fmt::format("missed by {}", duration_text(end - deadline))
                                : fmt::format("met, {} to spare", duration_text(deadline - end)),
              is_late(analysis) ? "late" : "");
}

std::string job_deadlines_tile(const Deadlines& deadlines) {
  return tile(
      "Jobs in time",
      fmt::format("{} of {}", count_text(deadlines.all - deadlines.missed), count_text(deadlines.all)),
      deadlines.missed > 0 ? fmt::format("{} late", count_text(deadlines.missed))
                           : std::string("of those with a deadline"),
      deadlines.missed > 0 ? "late" : "");
}

// What is missed, before all else; empty if nothing is.
std::string missed_clause(const Analysis& analysis) {
  std::string text;
  if (is_late(analysis)) {
    const Duration deadline = *analysis.data->deadline;
    text = fmt::format("The deadline of {} is missed by {}. ", bold(duration_text(deadline)),
                       bold(duration_text(analysis.subject().result->makespan - deadline)));
  }
  const Deadlines deadlines = deadlines_of(analysis, analysis.subject());
  if (deadlines.missed > 0) {
    const std::string name = isolated(shortened(job_name(analysis.jobs()[*deadlines.latest]), 40));
    text += fmt::format("{} of {} with a deadline {} it{}. ", bold(count_text(deadlines.missed)),
                        counted(deadlines.all, "job"), deadlines.missed == 1 ? "misses" : "miss",
                        deadlines.by > Duration{}
                            ? fmt::format("{} {} by {}", deadlines.missed == 1 ? "," : ", most of all", name,
                                          bold(duration_text(deadlines.by)))
                            : fmt::format(", among them {}", name));
  }
  return text.empty() ? "" : "<span class=\"missed\">" + text + "</span>";
}

std::string probability_tile(const ReportRisk::Meets& meets) {
  return tile(
      "Probability in time", probability_text(meets.probability),
      fmt::format("95 % interval {} to {}", probability_text(meets.low), probability_text(meets.high)));
}

// Numbers of jobs that finish sooner and later than in the first schedule.
std::string winners_tile(const Analysis& analysis) {
  Count sooner = 0, later = 0;
  for (std::size_t job = 0; job < analysis.jobs().size(); ++job) {
    const auto change = finish_change(analysis.subject(), analysis.schedules.front(), job);
    if (change && *change < Duration{}) ++sooner;
    if (change && *change > Duration{}) ++later;
  }
  return tile(
      "Jobs that finish sooner",
      fmt::format("{} of {}", count_text(sooner), count_text(static_cast<Count>(analysis.jobs().size()))),
      fmt::format("{} later", count_text(later)));
}

std::string use_tile(const Analysis& analysis, Kind kind) {
  const bool maps = kind == Kind::map;
  const auto utilisation = [&](const ScheduleView& view) {
    return maps ? view.result->map_utilisation(analysis.data->pool)
                : view.result->reduce_utilisation(analysis.data->pool);
  };
  const std::string note =
      analysis.compares() ? fmt::format("{} in {}", percent_text(utilisation(analysis.schedules.front())),
                                        escape(analysis.schedules.front().label))
                          : "of slot time until the end";
  return tile(maps ? "Map slots in use" : "Reduce slots in use",
              percent_text(utilisation(analysis.subject())), note);
}

std::string tiles(const Analysis& analysis) {
  std::string html = "<dl class=\"tiles\">";
  if (!analysis.schedules.empty()) {
    const SimulationResult& result = *analysis.subject().result;
    const SimulationResult& base = *analysis.schedules.front().result;
    const auto against = [&](Duration value, Duration other) {
      return analysis.compares() ? fmt::format("{} against {}", percent_change_text(relative(value, other)),
                                               duration_text(other))
                                 : std::string();
    };
    html += tile("Makespan", duration_text(result.makespan), against(result.makespan, base.makespan), "main");
    if (analysis.data->deadline) html += deadline_tile(analysis);
    if (const Deadlines deadlines = deadlines_of(analysis, analysis.subject()); deadlines.all > 0)
      html += job_deadlines_tile(deadlines);
    if (analysis.has_bound()) {
      html +=
          tile("Lower bound", duration_text(analysis.data->makespan_bound),
               fmt::format("gap {}", percent_above_text(std::max(0.0, gap(analysis, analysis.subject())))));
    }
    if (analysis.data->risk && analysis.data->risk->meets)
      html += probability_tile(*analysis.data->risk->meets);
    html += tile("Total completion time", duration_text(result.total_completion),
                 against(result.total_completion, base.total_completion));
    if (analysis.compares()) html += winners_tile(analysis);
    if (analysis.data->pool.map_slots > 0) html += use_tile(analysis, Kind::map);
    if (analysis.data->pool.reduce_slots > 0) html += use_tile(analysis, Kind::reduce);
  }
  return html + accuracy_tile(analysis.data->predictions) + "</dl>";
}

// Makespans as bars on one axis, the lower bound as a line across them.
std::string bars(const Analysis& analysis) {
  if (analysis.schedules.empty()) return "";
  const Axis axis = Axis::linear(analysis.horizon);
  std::string rows;
  for (std::size_t i = 0; i < analysis.schedules.size(); ++i) {
    const ScheduleView& view = analysis.schedules[i];
    const double share = axis.position(view.result->makespan);
    rows += fmt::format(
        R"(<tr><th scope="row">{}{}</th><td class="bar"><div class="track">)"
        R"(<i class="fill {}" style="width:{}%"></i>{}</div></td><td class="n">{}</td><td class="n">{}</td><td class="n extra">{}</td></tr>)",
        escape(capitalised(view.label)),
        analysis.same_slots(view)
            ? ""
            : fmt::format("<small>on up to {} + {} slots</small>", count_text(view.pool.map_slots),
                          count_text(view.pool.reduce_slots)),
        schedule_class(i), number(share * 100),
        analysis.has_bound() && analysis.same_slots(view)
            ? fmt::format(R"(<i class="rule bound" style="left:{}%"></i>)",
                          number(axis.position(analysis.data->makespan_bound) * 100))
            : "",
        duration_text(view.result->makespan),
        i == 0 || !analysis.same_slots(view)
            ? ""
            : percent_change_text(
                  relative(view.result->makespan, analysis.schedules.front().result->makespan)),
        duration_text(view.result->total_completion));
  }
  const std::string bound =
      analysis.has_bound()
          ? key("dash", fmt::format("proven lower bound {}", duration_text(analysis.data->makespan_bound)))
          : "";
  const std::string change = analysis.compares() ? fmt::format("<span class=\"unseen\">Against {}</span>",
                                                               escape(analysis.schedules.front().label))
                                                 : std::string("<span class=\"unseen\">Change</span>");
  return fmt::format(
      R"(<div class="legend"><span>Makespan of each schedule{}</span>{}</div><table class="bars compared"><thead><tr>)"
      R"(<th scope="col"><span class="unseen">Schedule</span></th><th scope="col" class="wide"><span class="unseen">Makespan as a bar</span></th>)"
      R"(<th scope="col" class="n">Makespan</th><th scope="col" class="n">{}</th><th scope="col" class="n extra">Total completion</th>)"
      R"(</tr></thead><tbody>{}</tbody></table>)",
      analysis.compares() ? ", and its change against " + escape(analysis.schedules.front().label) : "",
      bound, change, rows);
}

}  // namespace

std::string headline(const Analysis& analysis) {
  if (analysis.jobs().empty()) return "The batch holds no jobs.";
  if (analysis.schedules.empty())
    return fmt::format("{}, not scheduled.", counted(static_cast<Count>(analysis.jobs().size()), "job"));
  const ScheduleView& subject = analysis.subject();
  std::string text = missed_clause(analysis);
  text += fmt::format("{} finishes in {}", escape(capitalised(subject.label)),
                      bold(duration_text(subject.result->makespan)));
  if (analysis.compares()) {
    const ScheduleView& base = analysis.schedules.front();
    text +=
        subject.result->makespan == base.result->makespan
            ? fmt::format(", just as {} does", escape(base.label))
            : fmt::format(", {} in {} ({})", escape(base.label), bold(duration_text(base.result->makespan)),
                          percent_change_text(relative(subject.result->makespan, base.result->makespan)));
  }
  return text + bound_clause(analysis) + ".";
}

std::string summary_section(const Analysis& analysis) {
  const SlotPool& pool = analysis.data->pool;
  const std::size_t tasks = analysis.schedules.empty() ? 0 : analysis.subject().result->trace.size();
  const std::string batch =
      fmt::format("{}{} on {} and {}.", counted(static_cast<Count>(analysis.jobs().size()), "job"),
                  tasks == 0 ? "" : " with " + counted(static_cast<Count>(tasks), "task"),
                  counted(pool.map_slots, "map slot"), counted(pool.reduce_slots, "reduce slot"));
  return summary(headline(analysis), batch, tiles(analysis) + bars(analysis));
}

}  // namespace wavewright::report
