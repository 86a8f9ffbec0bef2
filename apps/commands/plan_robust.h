// `wavewright plan --robust`, `--fair`, `--user-weights`: plans for varying task lengths and several users.
#pragma once

#include <vector>

#include "apps/commands/plan_commands.h"
#include "apps/commands/plan_options.h"
#include "apps/context.h"
#include "apps/progress.h"
#include "wavewright/core/stop.h"
#include "wavewright/plan/planner.h"

namespace wavewright::app {

void declare_robust(CLI::App& command, PlanOptions& options);
void declare_users(CLI::App& command, PlanOptions& options);

// Throw UsageError if the flags cannot be combined.
void check_robust(const PlanOptions& options);
void check_users(const PlanOptions& options);

// Start from the methods' plans; return the exit status.
[[nodiscard]] int robust_plan(const Context& context, const PlanOptions& options,
                              const PlanningProblem& problem, const std::vector<Plan>& plans);
[[nodiscard]] int plan_for_users(const Context& context, const PlanOptions& options,
                                 const PlanningProblem& problem, const std::vector<Plan>& plans);

// Throws UsageError for flags that go with neither.
void refuse_answers(const PlanOptions& options, const char* flag);
// Runs `search(stop)`. It gets the part of --time-limit that the methods leave, and ends at Ctrl-C.
template <class Search>
[[nodiscard]] auto after_methods(const Context& context, const PlanOptions& options, const char* progress,
                                 const Search& search) {
  Progress line(context);
  line.show(progress);
  return search(Stop(options.time_for_methods(time_limit_of(options)), &context.interrupted));
}
// Writes the plan with the members `besides` to --out and standard output, there with how far off estimates
// of the profiles of `batch` have been. Notes if it is partial.
void give_plan(const Context& context, const PlanOptions& options, const Plan& plan, const Workload& batch,
               const char* name, Json besides);

}  // namespace wavewright::app
