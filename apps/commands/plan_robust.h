// `wavewright plan --robust`, `--fair` and `--user-weights`: plans for lengths that vary, and for several
// users.
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
// What `search(stop)` gives; it has the part of --time-limit that the methods leave, and ends at Ctrl-C.
template <class Search>
[[nodiscard]] auto after_methods(const Context& context, const PlanOptions& options, const char* progress,
                                 const Search& search) {
  Progress line(context);
  line.show(progress);
  return search(Stop(options.time_for_methods(time_limit_of(options)), &context.interrupted));
}
// Writes --out and standard output: the plan, with what is said of it besides. Notes where it is partial.
void give_plan(const Context& context, const PlanOptions& options, const Plan& plan, const char* name,
               Json besides);

}  // namespace wavewright::app
