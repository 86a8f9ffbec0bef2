// `wavewright plan` on its plan: what limits it, whether it meets a deadline, and how sure that is.
#pragma once

#include "apps/commands/plan_options.h"
#include "apps/context.h"
#include "wavewright/plan/analysis/answers.h"

namespace wavewright::app {

// `plan` has its values; where a deadline is asked for, they are of the makespan. Shows progress; looks at
// context.interrupted.
[[nodiscard]] PlanAnswers answer_plan(const Context& context, const PlanOptions& options, const Plan& plan,
                                      const PlanningProblem& problem);

// Sentences.
void print_answers(const PlanAnswers& answers, const Plan& plan, const Workload& batch);

}  // namespace wavewright::app
