#include "apps/commands/queue_view.h"

#include <algorithm>
#include <cmath>
#include <iostream>

#include "apps/table.h"
#include "wavewright/job/job_labels.h"

namespace wavewright::app {

namespace {

std::string percent_text(double ratio) {
  const double tenths = std::round(1000 * ratio) / 10 + 0.0;  // + 0.0 avoids a minus before zero
  return fmt::format("{:.1f} %", tenths);
}

std::string value_text(Objective objective, double value) {
  constexpr double longest = 1e18;  // ms; a weight may be any number
  if (entry_of(objective).unit != "ms" || std::abs(value) > longest) return fmt::format("{:.6g}", value);
  const std::string text = format_duration(ms(std::llround(std::abs(value))));
  return value < 0 ? "-" + text : text;
}

}  // namespace

void print(const QueueOutcome& outcome, const JobListing& listing) {
  const JobLabels labels(outcome.workload->jobs, listing.ids);
  const bool all = listing.all;
  constexpr std::size_t shown_at_most = 25;
  Table table{{{"job", "job", false, true},
               {"submit_ms", "arrived", true, false},
               {"dispatched_ms", "dispatched", true, false},
               {"round", "round", true, false},
               {"start_ms", "started", true, false},
               {"finish_ms", "finished", true, false}},
              {}};
  const auto instant = [](Time time) { return Cell(format_duration(time - Time{}), to_ms(time)); };
  const auto outcomes = outcomes_of(outcome);
  for (std::size_t i = 0; i < outcomes.size() && (all || i < shown_at_most); ++i) {
    const Job& job = outcome.workload->jobs[i];
    const std::size_t round = outcome.run.round_of[i];
    table.rows.push_back({labels[i], instant(job.submit), instant(outcome.run.rounds[round].at),
                          count_cell(static_cast<std::int64_t>(round) + 1), instant(outcomes[i]->start),
                          outcomes[i]->rejected ? Cell("rejected", Json(nullptr))
                          : outcomes[i]->failed ? Cell("failed", Json(nullptr))
                                                : instant(outcomes[i]->finish)});
  }
  write_table(std::cout, table);
  if (table.rows.size() < outcomes.size())
    std::cout << "… " << outcomes.size() - table.rows.size() << " more; --all-jobs or --json shows them\n";

  const OrderingEngine& engine = outcome.engine;
  const auto searched = std::count_if(outcome.run.rounds.begin(), outcome.run.rounds.end(),
                                      [](const Round& round) { return round.searched; });
  std::cout << fmt::format(
      "\n{} jobs in {} rounds ({} searched) by {}, then {} on {} map and {} reduce slots\n", outcomes.size(),
      outcome.run.rounds.size(), searched, outcome.when, outcome.policy, engine.pool.map_slots,
      engine.pool.reduce_slots);
  const QueueTotals ordered = ordered_totals(outcome), unordered = unordered_totals(outcome);
  Table compared{{{"figure", "", false, false},
                  {"unordered", "as they came", true, false},
                  {"ordered", "ordered", true, false},
                  {"improvement", "improvement", true, false}},
                 {}};
  const auto compare = [&](Objective objective, double before, double after) {
    const auto ratio = improvement(before, after);
    const std::string star = objective == engine.objective ? "* " : "  ";
    compared.rows.push_back({star + to_string(objective), value_text(objective, before),
                             value_text(objective, after), ratio ? percent_text(*ratio) : std::string()});
  };
  compare(Objective::makespan, unordered.makespan, ordered.makespan);
  compare(Objective::total_completion, unordered.total_completion, ordered.total_completion);
  if (!is_planned(engine.objective)) compare(engine.objective, unordered.value, ordered.value);
  write_table(std::cout, compared);
}

}  // namespace wavewright::app
