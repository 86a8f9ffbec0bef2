#include "wavewright/report/simulation/figures.h"

#include <cmath>

#include <fmt/format.h>

#include "wavewright/report/documents/simulation_document.h"
#include "wavewright/report/text.h"

namespace wavewright::report {

std::string decimal_text(double value) {
  if (std::abs(value) >= 999.5) return count_text(std::llround(value));
  std::string text = fmt::format("{:.3g}", value);
  // Readers do not expect powers of ten for values below a ten-thousandth.
  if (text.find('e') != std::string::npos) text = fmt::format("{:.6f}", value);
  return text;
}

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
