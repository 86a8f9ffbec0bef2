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
  std::optional<Duration> limit = {};                     // of all methods together
  const std::atomic<bool>* interrupted = nullptr;         // as Stop's
  std::function<void(const std::string&)> progress = {};  // told of each method before it plans
};

// The plans of all planners that take the problem, in the order of planners(): at least one. `best` comes
// last, with the plans of the others as known ones and the time that they leave; each of the others has at
// most a tenth of the limit. Where time runs out before the last method, the last plan is marked `partial`.
[[nodiscard]] std::vector<Plan> plan_by_all(PlanningProblem problem, const AllMethodsOptions& options);

// Gives every plan the largest of their lower bounds. The plans must be for one problem.
void share_bounds(std::vector<Plan>& plans);

// The least value; of equal plans one that is proved optimal, then one that is the best single order, then
// the first. `plans` is not empty.
[[nodiscard]] const Plan& best_plan(const std::vector<Plan>& plans);

}  // namespace wavewright
