// `wavewright plan --robust`, `--fair` and `--user-weights`: plans for lengths that vary, and for several
// users.
#pragma once

#include <vector>

#include "apps/commands/plan_options.h"
#include "apps/context.h"
#include "wavewright/plan/planner.h"

namespace wavewright::app {

void declare_robust(CLI::App& command, PlanOptions& options);
void declare_users(CLI::App& command, PlanOptions& options);

// UsageError where the flags do not go together.
void check_robust(const PlanOptions& options);
void check_users(const PlanOptions& options);

// From the plans of the methods on; each gives the exit status.
[[nodiscard]] int robust_plan(const Context& context, const PlanOptions& options,
                              const PlanningProblem& problem, const std::vector<Plan>& plans);
[[nodiscard]] int plan_for_users(const Context& context, const PlanOptions& options,
                                 const PlanningProblem& problem, const std::vector<Plan>& plans);

// The flags that stand beside neither, by name.
void refuse_answers(const PlanOptions& options, const char* flag);
// Writes --out and standard output: the plan, with what is said of it besides.
void give_plan(const Context& context, const PlanOptions& options, const Plan& plan, const char* name,
               Json besides);

}  // namespace wavewright::app
