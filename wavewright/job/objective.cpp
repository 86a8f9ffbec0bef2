#include "wavewright/job/objective.h"

#include <algorithm>
#include <vector>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/job/job.h"

namespace wavewright {

namespace {

double in_ms(Duration duration) {
  return static_cast<double>(to_ms(duration));
}

template <class Each>
double weighted_sum(Objective objective, std::span<const FinishedJob> jobs, Each each) {
  const bool equal = objective.weights == Objective::Weights::equal;
  double sum = 0;
  for (const FinishedJob& job : jobs) sum += (equal ? 1 : job.weight) * each(job);
  return sum;
}

double last_finish(std::span<const FinishedJob> jobs) {
  double last = 0;
  for (const FinishedJob& job : jobs) last = std::max(last, in_ms(job.finish - Time{}));
  return last;
}

double max_lateness(std::span<const FinishedJob> jobs) {
  std::optional<double> most;
  for (const FinishedJob& job : jobs) {
    if (job.deadline) most = std::max(most.value_or(-1e300), in_ms(job.finish - *job.deadline));
  }
  return most.value_or(0);
}

}  // namespace

bool is_planned(Objective objective) {
  return std::find(planned_objectives.begin(), planned_objectives.end(), objective) !=
         planned_objectives.end();
}

void refuse_unplanned(Objective objective) {
  throw InternalError("no planner knows the objective " + to_string(objective));
}

std::span<const ObjectiveEntry> objectives() {
  static const std::vector<ObjectiveEntry> all = {
      {Objective::makespan, "makespan", "the latest finish", "ms"},
      {Objective::total_completion, "total-completion", "sum of finish - submit, the total flow time", "ms"},
      {Objective::weighted_completion, "weighted-completion",
       "the same, each job times its delay_cost_per_s (1 where it has none)", "ms"},
      {Objective::max_lateness, "max-lateness", "the greatest finish - deadline", "ms"},
      {Objective::total_tardiness, "total-tardiness", "sum of what jobs are late", "ms"},
      {Objective::cost, "cost", "money paid for machines", "USD"},
      {Objective::energy, "energy", "energy used by machines", "J"},
  };
  return all;
}

const ObjectiveEntry& entry_of(Objective objective) {
  for (const ObjectiveEntry& entry : objectives()) {
    if (entry.objective == objective) return entry;
  }
  throw InternalError("an objective without a name");
}

std::string to_string(Objective objective) {
  return entry_of(objective).name;
}

Objective parse_objective(const std::string& name, std::span<const Objective> among) {
  std::vector<std::string> names;
  for (const Objective objective : among) {
    names.push_back(to_string(objective));
    if (names.back() == name) return objective;
  }
  throw UsageError("unknown objective '" + name + "'", suggestion(name, names));
}

double value_of(Objective objective, const ScheduleOutcome& outcome) {
  switch (objective.kind) {
    case Objective::Kind::makespan:
      return last_finish(outcome.jobs);
    case Objective::Kind::completion:
      return weighted_sum(objective, outcome.jobs,
                          [](const FinishedJob& job) { return in_ms(job.finish - job.submit); });
    case Objective::Kind::lateness:
      return max_lateness(outcome.jobs);
    case Objective::Kind::tardiness:
      return weighted_sum(objective, outcome.jobs, [](const FinishedJob& job) {
        return job.deadline ? std::max(0.0, in_ms(job.finish - *job.deadline)) : 0.0;
      });
    case Objective::Kind::cost:
      return to_usd(outcome.cost);
    case Objective::Kind::energy:
      return outcome.energy_j;
  }
  throw InternalError("an objective of no kind");
}

double delay_weight(const Job& job) {
  return job.delay_cost_per_s && *job.delay_cost_per_s > 0 ? *job.delay_cost_per_s : 1;
}

}  // namespace wavewright
