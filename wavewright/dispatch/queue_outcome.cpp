#include "wavewright/dispatch/queue_outcome.h"

namespace wavewright {

namespace {

// The finish of each job by position in the workload; empty for a rejected or failed job.
std::vector<std::optional<Time>> finishes(const SimulationResult& result,
                                          const std::vector<JobIndex>& order) {
  std::vector<std::optional<Time>> finish(result.jobs.size());
  for (std::size_t i = 0; i < result.jobs.size(); ++i) {
    const JobOutcome& outcome = result.jobs[i];
    if (!outcome.rejected && !outcome.failed) finish[order.empty() ? i : order[i]] = outcome.finish;
  }
  return finish;
}

QueueTotals totals_of(const QueueOutcome& outcome, const SimulationResult& result,
                      const std::vector<JobIndex>& order) {
  const auto finish = finishes(result, order);
  const OrderingEngine& engine = outcome.engine;
  return {value_of_run(*outcome.workload, finish, Objective::makespan),
          value_of_run(*outcome.workload, finish, Objective::total_completion),
          engine.own ? engine.own->value(finished_jobs(*outcome.workload, finish))
                     : value_of_run(*outcome.workload, finish, engine.objective)};
}

}  // namespace

QueueTotals ordered_totals(const QueueOutcome& outcome) {
  return totals_of(outcome, outcome.ordered, outcome.run.order);
}

QueueTotals unordered_totals(const QueueOutcome& outcome) {
  return totals_of(outcome, outcome.unordered, {});
}

std::optional<double> improvement(double unordered, double ordered) {
  if (ordered <= 0) return std::nullopt;
  return (unordered - ordered) / ordered;
}

std::vector<const JobOutcome*> outcomes_of(const QueueOutcome& outcome) {
  std::vector<const JobOutcome*> outcomes(outcome.run.order.size());
  for (std::size_t i = 0; i < outcome.run.order.size(); ++i)
    outcomes[outcome.run.order[i]] = &outcome.ordered.jobs[i];
  return outcomes;
}

}  // namespace wavewright
