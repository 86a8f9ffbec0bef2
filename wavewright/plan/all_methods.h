// Every planner's plan for one problem, and the best of them. The planners share their bounds: a bound
// proved by one holds for all.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/plan/planner.h"

namespace wavewright {

struct AllMethodsOptions {
  std::optional<Duration> limit = {};                     // for all methods together
  const std::atomic<bool>* interrupted = nullptr;         // see Stop
  std::function<void(const std::string&)> progress = {};  // called with each method before it plans
};

// The plans of all planners that do not refuse the problem, in the order of planners(): at least one. `best`
// knows the other plans. With a limit it runs last and gets the time left; each other method gets at most a
// fortieth. Without a limit it runs before the other searches, so that an interruption finds a good plan, and
// again if one of them is better. `evaluations` is one budget: each other search gets a twentieth, `best` the
// rest. If time runs out before every method has run, the last plan is marked `partial`.
[[nodiscard]] std::vector<Plan> plan_by_all(PlanningProblem problem, const AllMethodsOptions& options);

// Sets every plan's lower bounds to the largest ones. The plans must be for one problem.
void share_bounds(std::vector<Plan>& plans);

// Simulates the plan with tasks as listed and returns the better of the two plans. `listed`: the plan's
// problem with the batch's tasks as listed. O(simulation).
[[nodiscard]] Plan better_task_order(const Plan& plan, PlanningProblem listed);

// Makes each plan in the better of both task orders (better_task_order). A plan of `best` is also searched
// for with tasks as listed, if the batch has at most `few_tasks`: there the order of tasks decides most, and
// a search takes little. It gets `stop` and `listed.evaluations`.
void try_as_listed(std::vector<Plan>& plans, const PlanningProblem& listed, const Stop& stop);
inline constexpr std::uint64_t few_tasks = 2000;

// The plan with the least value of the other objective among those at most the share `within` above the least
// value. Ties: the least value, proved optimal, the best single order, the first plan. `plans` is not empty.
[[nodiscard]] const Plan& best_plan(const std::vector<Plan>& plans, double within = 0);

}  // namespace wavewright
