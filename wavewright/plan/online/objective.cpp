#include "wavewright/plan/online/objective.h"

#include <algorithm>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"

namespace wavewright {

namespace {

double in_ms(Duration duration) {
  return static_cast<double>(to_ms(duration));
}

double makespan(std::span<const Finished> jobs) {
  double last = 0;
  for (const Finished& job : jobs) last = std::max(last, in_ms(job.at - Time{}));
  return last;
}

double total_completion(std::span<const Finished> jobs) {
  double sum = 0;
  for (const Finished& job : jobs) sum += in_ms(job.at - job.job->arrived);
  return sum;
}

double weighted_completion(std::span<const Finished> jobs) {
  double sum = 0;
  for (const Finished& job : jobs) sum += job.job->weight * in_ms(job.at - job.job->arrived);
  return sum;
}

// Of jobs that have a deadline; below 0 where all are early.
double max_lateness(std::span<const Finished> jobs) {
  std::optional<double> most;
  for (const Finished& job : jobs) {
    if (job.job->deadline) most = std::max(most.value_or(-1e300), in_ms(job.at - *job.job->deadline));
  }
  return most.value_or(0);
}

double total_tardiness(std::span<const Finished> jobs) {
  double sum = 0;
  for (const Finished& job : jobs) {
    if (job.job->deadline) sum += std::max(0.0, in_ms(job.at - *job.job->deadline));
  }
  return sum;
}

}  // namespace

const std::vector<QueueObjective>& queue_objectives() {
  static const std::vector<QueueObjective> all = {
      {"makespan", "the latest finish", "ms", makespan, johnson_rule, Objective::makespan},
      {"total-completion", "sum of finish - submit, the total flow time", "ms", total_completion,
       shortest_rule, Objective::total_completion},
      {"weighted-completion", "the same, each job times its delay_cost_per_s (1 where it has none)", "ms",
       weighted_completion, weighted_rule},
      {"max-lateness", "the greatest finish - deadline", "ms", max_lateness, deadline_rule},
      {"total-tardiness", "sum of what jobs are late", "ms", total_tardiness, deadline_rule},
  };
  return all;
}

const QueueObjective& queue_objective(const std::string& name) {
  std::vector<std::string> names;
  for (const QueueObjective& each : queue_objectives()) {
    if (each.name == name) return each;
    names.push_back(each.name);
  }
  throw UsageError("unknown objective '" + name + "'", suggestion(name, names));
}

}  // namespace wavewright
