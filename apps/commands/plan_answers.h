// Analysis of the plan of `wavewright plan`: its limits, its deadline and its risk.
#pragma once

#include "apps/commands/plan_options.h"
#include "apps/context.h"
#include "wavewright/plan/analysis/answers.h"

namespace wavewright::app {

// `plan` has its values; `end` is asked for with a deadline, of the makespan. Shows progress, checks
// context.interrupted.
[[nodiscard]] PlanAnswers answer_plan(const Context& context, const PlanOptions& options,
                                      const std::optional<WantedEnd>& end, const Plan& plan,
                                      const PlanningProblem& problem);

// `ids`: jobs by id instead of name.
void print_answers(const PlanAnswers& answers, const Plan& plan, const Workload& batch, bool ids);

}  // namespace wavewright::app
