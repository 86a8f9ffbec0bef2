#include "apps/commands/queue_view.h"

#include <algorithm>
#include <cmath>
#include <iostream>

#include "apps/table.h"

namespace wavewright::app {

namespace {

// By position in the workload: when the job was done; none where it was rejected or failed.
std::vector<std::optional<Time>> finishes(const SimulationResult& result,
                                          const std::vector<JobIndex>& order) {
  std::vector<std::optional<Time>> finish(result.jobs.size());
  for (std::size_t i = 0; i < result.jobs.size(); ++i) {
    const JobOutcome& outcome = result.jobs[i];
    if (!outcome.rejected && !outcome.failed) finish[order.empty() ? i : order[i]] = outcome.finish;
  }
  return finish;
}

struct Totals {
  double makespan = 0;          // ms
  double total_completion = 0;  // ms, from arrival
  double value = 0;             // of the objective
};

Totals totals_of(const QueueView& view, const SimulationResult& result, const std::vector<JobIndex>& order) {
  const auto finish = finishes(result, order);
  return {value_of_run(view.workload, finish, Objective::makespan),
          value_of_run(view.workload, finish, Objective::total_completion),
          value_of_run(view.workload, finish, view.queue.engine().objective)};
}

// None where the ratio says nothing.
std::optional<double> improvement(double unordered, double ordered) {
  if (ordered <= 0) return std::nullopt;
  return (unordered - ordered) / ordered;
}

Json improvement_json(double unordered, double ordered) {
  const auto ratio = improvement(unordered, ordered);
  return ratio ? Json(*ratio) : Json(nullptr);
}

Json totals_json(const Totals& totals) {
  return {{"makespan_ms", std::llround(totals.makespan)},
          {"total_completion_ms", std::llround(totals.total_completion)},
          {"value", totals.value}};
}

// The row of each job in the ordered result, by position in the workload.
std::vector<const JobOutcome*> outcomes_of(const QueueView& view) {
  std::vector<const JobOutcome*> outcomes(view.run.order.size());
  for (std::size_t i = 0; i < view.run.order.size(); ++i) outcomes[view.run.order[i]] = &view.ordered.jobs[i];
  return outcomes;
}

std::string percent_text(double ratio) {
  const double tenths = std::round(1000 * ratio) / 10 + 0.0;  // + 0.0: no minus before a zero
  return fmt::format("{:.1f} %", tenths);
}

std::string value_text(Objective objective, double value) {
  constexpr double longest = 1e18;  // ms; a weight may be any number
  if (entry_of(objective).unit != "ms" || std::abs(value) > longest) return fmt::format("{:.6g}", value);
  const std::string text = format_duration(ms(std::llround(std::abs(value))));
  return value < 0 ? "-" + text : text;
}

}  // namespace

Json to_json(const QueueView& view) {
  const Totals ordered = totals_of(view, view.ordered, view.run.order);
  const Totals unordered = totals_of(view, view.unordered, {});
  const OrderingEngine& engine = view.queue.engine();
  Json rounds = Json::array();
  for (const Round& round : view.run.rounds) {
    rounds.push_back({{"at_ms", to_ms(round.at)},
                      {"jobs", round.jobs.size()},
                      {"searched", round.searched},
                      {"evaluated", round.evaluated},
                      {"work_ms", to_ms(round.work)}});
  }
  Json jobs = Json::array();
  const auto outcomes = outcomes_of(view);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const JobOutcome& outcome = *outcomes[i];
    const auto time = [&](Time at) { return outcome.rejected ? Json(nullptr) : Json(to_ms(at)); };
    jobs.push_back({{"id", view.workload.jobs[i].id},
                    {"submit_ms", to_ms(view.workload.jobs[i].submit)},
                    {"dispatched_ms", to_ms(view.run.rounds[view.run.round_of[i]].at)},
                    {"round", view.run.round_of[i] + 1},
                    {"start_ms", time(outcome.start)},
                    {"finish_ms", time(outcome.finish)},
                    {"rejected", outcome.rejected},
                    {"failed", outcome.failed}});
  }
  Json document = {{"when", view.queue.policy().name()},       {"engine", to_string(engine.mode)},
                   {"objective", to_string(engine.objective)}, {"policy", view.policy},
                   {"map_slots", engine.pool.map_slots},       {"reduce_slots", engine.pool.reduce_slots},
                   {"reorderings", view.run.rounds.size()}};
  document.update(totals_json(ordered));
  document["unordered"] = totals_json(unordered);
  document["improvement"] = {
      {"makespan", improvement_json(unordered.makespan, ordered.makespan)},
      {"total_completion", improvement_json(unordered.total_completion, ordered.total_completion)},
      {"value", improvement_json(unordered.value, ordered.value)}};
  document["rounds"] = std::move(rounds);
  document["jobs"] = std::move(jobs);
  return document;
}

void print(const QueueView& view, bool all) {
  constexpr std::size_t shown_at_most = 25;
  Table table{{{"id", "job", false, true},
               {"name", "name", false, true},
               {"submit_ms", "arrived", true, false},
               {"dispatched_ms", "dispatched", true, false},
               {"round", "round", true, false},
               {"start_ms", "started", true, false},
               {"finish_ms", "finished", true, false}},
              {}};
  const auto instant = [](Time time) { return Cell(format_duration(time - Time{}), to_ms(time)); };
  const auto outcomes = outcomes_of(view);
  for (std::size_t i = 0; i < outcomes.size() && (all || i < shown_at_most); ++i) {
    const Job& job = view.workload.jobs[i];
    const std::size_t round = view.run.round_of[i];
    table.rows.push_back({job.id, job.name, instant(job.submit), instant(view.run.rounds[round].at),
                          count_cell(static_cast<std::int64_t>(round) + 1), instant(outcomes[i]->start),
                          outcomes[i]->rejected ? Cell("rejected", Json(nullptr))
                          : outcomes[i]->failed ? Cell("failed", Json(nullptr))
                                                : instant(outcomes[i]->finish)});
  }
  write_table(std::cout, table);
  if (table.rows.size() < outcomes.size())
    std::cout << "… " << outcomes.size() - table.rows.size() << " more; --all-jobs or --json shows them\n";

  const OrderingEngine& engine = view.queue.engine();
  const auto searched = std::count_if(view.run.rounds.begin(), view.run.rounds.end(),
                                      [](const Round& round) { return round.searched; });
  std::cout << fmt::format(
      "\n{} jobs in {} rounds ({} searched) by {}, then {} on {} map and {} reduce slots\n", outcomes.size(),
      view.run.rounds.size(), searched, view.queue.policy().name(), view.policy, engine.pool.map_slots,
      engine.pool.reduce_slots);
  const Totals ordered = totals_of(view, view.ordered, view.run.order);
  const Totals unordered = totals_of(view, view.unordered, {});
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
