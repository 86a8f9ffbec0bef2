// The summary of a run: a headline and its figures.
#include <algorithm>

#include <fmt/format.h>

#include "wavewright/report/charts/charts.h"
#include "wavewright/report/page/html.h"
#include "wavewright/report/page/page.h"
#include "wavewright/report/simulation/figures.h"
#include "wavewright/report/simulation/sections.h"
#include "wavewright/report/text.h"
#include "wavewright/sim/metrics/run_counts.h"
#include "wavewright/sim/metrics/usage.h"

namespace wavewright::report {

namespace {

struct Totals {
  RunCounts run;
  Count lost = 0, killed = 0;               // attempts
  Count local = 0, rack = 0, off_rack = 0;  // maps
  Count met = 0, missed = 0;                // deadlines
};

Totals totals_of(const SimulationView& view) {
  Totals totals;
  totals.run = counts_of(view.result());
  for (std::size_t job = 0; job < view.jobs.size(); ++job) {
    const JobOutcome& outcome = view.result().jobs[job];
    totals.local += outcome.node_local;
    totals.rack += outcome.rack_local;
    totals.off_rack += outcome.off_rack;
    if (misses_deadline(view, job)) ++totals.missed;
    if (meets_deadline(view, job)) ++totals.met;
  }
  for (const TaskRecord& task : view.tasks) {
    if (task.outcome == AttemptOutcome::lost) ++totals.lost;
    if (task.outcome == AttemptOutcome::killed) ++totals.killed;
  }
  return totals;
}

std::string troubles(const Totals& totals) {
  return list_counts({{totals.run.failed, "failed"},
                      {totals.run.rejected, "rejected"},
                      {totals.run.unfinished, "not done"}});
}

std::string jobs_tile(const Totals& totals, std::size_t jobs) {
  const std::string rest = troubles(totals);
  return tile(
      "Jobs done",
      static_cast<std::size_t>(totals.run.done) == jobs
          ? count_text(totals.run.done)
          : fmt::format("{} of {}", count_text(totals.run.done), count_text(static_cast<Count>(jobs))),
      rest);
}

std::string tiles(const SimulationView& view) {
  const SimulationResult& result = view.result();
  const Totals totals = totals_of(view);
  const SlotPool slots = view.cluster().total_slots();
  std::string html = "<dl class=\"tiles\">";
  html += tile("Makespan", duration_text(result.makespan), "", "main");
  if (totals.met + totals.missed > 0)
    html += tile("Deadlines met",
                 fmt::format("{} of {}", count_text(totals.met), count_text(totals.met + totals.missed)),
                 list_counts({{totals.missed, "missed"}}), totals.missed > 0 ? "late" : "");
  html += jobs_tile(totals, view.jobs.size());
  if (totals.run.done > 0)
    html += tile("Mean completion time", duration_text(result.total_completion / totals.run.done),
                 fmt::format("{} in all{}", duration_text(result.total_completion),
                             troubles(totals).empty() ? "" : ", of the jobs done"));
  const std::string again = list_counts({{totals.run.failed_attempts, "failed"},
                                         {totals.lost, "lost with their node"},
                                         {totals.killed, "killed"},
                                         {totals.run.second_attempts, "second attempts of slow tasks"}});
  html += tile("Attempts", count_text(static_cast<Count>(view.tasks.size())), again);
  if (view.containers())
    html += tile("Memory in use", percent_text(result.memory_utilisation(view.cluster().total_memory())),
                 "of all memory until the end");
  if (slots.map_slots > 0 && !view.containers())
    html +=
        tile("Map slots in use", percent_text(result.map_utilisation(slots)), "of slot time until the end");
  if (slots.reduce_slots > 0 && !view.containers())
    html += tile("Reduce slots in use", percent_text(result.reduce_utilisation(slots)),
                 "of slot time until the end");
  const Count maps = totals.local + totals.rack + totals.off_rack;
  const auto share = [&](Count count) {
    return percent_text(static_cast<double>(count) / static_cast<double>(maps));
  };
  if (view.places() && maps > 0)
    html += tile("Maps beside their block", share(totals.local),
                 fmt::format("{} in its rack, {} elsewhere", share(totals.rack), share(totals.off_rack)));
  const UsageTotals use = totals_of(usage_by_node(result, view.cluster(), &view.workload()));
  if (use.energy_j > 0) html += tile("Energy", energy_text(use.energy_j), "");
  if (use.cost_usd > 0) html += tile("Cost", money_text(use.cost_usd), "");
  return html + "</dl>";
}

std::string machines(const SimulationView& view) {
  const SlotPool slots = view.cluster().total_slots();
  const std::string room = view.containers()
                               ? fmt::format("{} for containers", format_bytes(view.cluster().total_memory()))
                               : fmt::format("{} and {}", counted(slots.map_slots, "map slot"),
                                             counted(slots.reduce_slots, "reduce slot"));
  if (view.node_names.size() == 1) return room;
  return fmt::format("{} with {}", counted(static_cast<Count>(view.node_names.size()), "node"), room);
}

}  // namespace

std::string run_headline(const SimulationView& view) {
  if (view.jobs.empty()) return "The batch holds no jobs.";
  const Totals totals = totals_of(view);
  const std::string_view verb = view.result().stuck     ? "could not go on after"
                                : view.result().stopped ? "were stopped after"
                                : view.jobs.size() == 1 ? "ends in"
                                                        : "end in";
  std::string text;
  if (totals.missed > 0)
    text = fmt::format("<span class=\"missed\"><b>{}</b> of {} missed.</span> ", count_text(totals.missed),
                       counted(totals.met + totals.missed, "deadline"));
  text += fmt::format("{} {} <b>{}</b> under <b>{}</b>", counted(static_cast<Count>(view.jobs.size()), "job"),
                      verb, duration_text(view.result().makespan), escape(view.data.policy));
  const std::string lost = troubles(totals);
  if (!lost.empty()) text += fmt::format(" ({})", lost);
  if (totals.missed == 0 && totals.met > 0) text += ", all deadlines met";
  return text + ".";
}

std::string run_summary_section(const SimulationView& view) {
  const auto tasks = static_cast<Count>(view.workload().tasks());
  std::string batch = fmt::format("{} with {} on {}.", counted(static_cast<Count>(view.jobs.size()), "job"),
                                  counted(tasks, "task"), machines(view));
  if (view.result().stuck)
    batch += fmt::format(" Why: {}. To do: {}.", escape(view.result().stuck->what),
                         escape(view.result().stuck->remedy));
  return summary(run_headline(view), batch, tiles(view));
}

}  // namespace wavewright::report
