// Analysis of a plan: its bottlenecks, and the risk of missing a deadline.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "wavewright/plan/analysis/bottlenecks.h"
#include "wavewright/plan/analysis/risk.h"
#include "wavewright/plan/planner.h"

namespace wavewright {

// The source of task lengths for draws.
struct LengthsDrawn {
  bool distributions = false;         // each sample draws from the workload's distributions
  double spread = 0, job_spread = 0;  // job/sampled.h

  [[nodiscard]] bool vary() const { return distributions || spread > 0 || job_spread > 0; }
};
// `a spread of 10.0 % a task`
[[nodiscard]] std::string in_words(const LengthsDrawn& lengths);

struct PlanQuestions {
  std::optional<Duration> deadline = {};  // for the makespan
  std::optional<Time> begins = {};        // the instant of the batch's time 0, where it is known
  LengthsDrawn lengths = {};
  Count samples = 1000;
  std::uint64_t seed = 1;
  // For `lengths.distributions`: the batch with the lengths of a draw. Called from several threads.
  std::function<Workload(std::uint64_t index)> redraw = {};
};

struct PlanAnswers {
  std::optional<Bottlenecks> limits;  // empty for batches too large to trace
  std::optional<Duration> deadline;
  std::optional<Time> begins;
  bool impossible = false;  // the bound proves that no plan on these slots meets the deadline
  std::optional<Risk> risk;
  LengthsDrawn lengths;
};

// `plan` has its values. The risk is assessed if lengths vary. `progress`: see assess_risk().
[[nodiscard]] PlanAnswers answer_plan(const Plan& plan, const PlanningProblem& problem,
                                      const PlanQuestions& questions,
                                      const std::function<void(Count done, Count steps)>& progress,
                                      const Stop& stop);

}  // namespace wavewright
