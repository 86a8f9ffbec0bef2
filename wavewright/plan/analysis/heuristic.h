// A plan for one pool of many that are tried: good enough to compare pools by, at a given effort.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "wavewright/plan/planner.h"

namespace wavewright {

// Without a method: `best` with the problem's evaluations from Johnson's order, shortest first and the orders
// of `others` (plans made for other pools) on, which is what it would give if no other method found better.
// With one: that method's plan. It stops as soon as the value is `enough`; the plan is not marked optimal
// for it.
[[nodiscard]] Plan heuristic_plan(const std::string& method, const PlanningProblem& given,
                                  std::span<const Plan> others, std::optional<Duration> enough,
                                  const Stop& stop);

// The orders of a plan made for another pool, on all slots of the problem's.
[[nodiscard]] Plan moved_plan(const Plan& plan, const PlanningProblem& problem);

}  // namespace wavewright
