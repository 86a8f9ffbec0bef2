#include "wavewright/report/simulation/figures.h"

#include "wavewright/report/documents/simulation_document.h"

namespace wavewright::report {

bool meets_deadline(const SimulationView& view, std::size_t job) {
  const Job& of = view.workload().jobs[job];
  return of.deadline && wavewright::meets_deadline(of, view.result().jobs[job]);
}

bool misses_deadline(const SimulationView& view, std::size_t job) {
  const JobOutcome& outcome = view.result().jobs[job];
  const std::optional<Time>& deadline = view.workload().jobs[job].deadline;
  if (!deadline || meets_deadline(view, job)) return false;
  return !outcome.unfinished || *deadline < Time{} + view.result().makespan;
}

bool came_to_nothing(const TaskRecord& task) {
  return task.outcome != AttemptOutcome::done && task.outcome != AttemptOutcome::running;
}

double share_of(double busy, double whole, double time) {
  return whole * time > 0 ? busy / (whole * time) : 0;
}

}  // namespace wavewright::report
