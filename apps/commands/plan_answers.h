// What `wavewright plan` says besides the plan: what limits it, whether it meets a deadline, and how sure
// that is.
#pragma once

#include <optional>
#include <string>

#include "apps/commands/plan_options.h"
#include "apps/context.h"
#include "wavewright/plan/analysis/bottlenecks.h"
#include "wavewright/plan/analysis/risk.h"
#include "wavewright/plan/planner.h"

namespace wavewright::app {

// Where the task lengths of draws come from.
struct LengthsDrawn {
  bool distributions = false;  // those of the workload file were drawn for each sample
  double spread = 0, job_spread = 0;
};
// `a spread of 10.0 % a task`
[[nodiscard]] std::string in_words(const LengthsDrawn& lengths);

struct PlanAnswers {
  std::optional<Bottlenecks> limits;  // none of batches too large to trace
  std::optional<Duration> deadline;
  bool impossible = false;  // no plan on these slots meets it, as the bound shows
  std::optional<Risk> risk;
  LengthsDrawn lengths;
};

// `plan` has its values; where a deadline is asked for, they are of the makespan. Shows progress; looks at
// context.interrupted.
[[nodiscard]] PlanAnswers answer_plan(const Context& context, const PlanOptions& options, const Plan& plan,
                                      const PlanningProblem& problem);

[[nodiscard]] Json to_json(const Bottlenecks& limits, const Workload& batch);
// Adds `limits`, `deadline` and `risk` to a plan's document.
void add_answers(Json& document, const PlanAnswers& answers, const Plan& plan, const Workload& batch);
// Sentences.
void print_answers(const PlanAnswers& answers, const Plan& plan, const Workload& batch);

}  // namespace wavewright::app
