// A quick plan for one pool, good enough to compare many pools.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "wavewright/plan/planner.h"

namespace wavewright {

// With a method: that method's plan. Without one: `best`, with the problem's evaluations, started from the
// critical path's order, Johnson's order, shortest first and the orders of `others` (plans made for other
// pools). The search ends as soon as the value is `enough`, which alone is no proof of optimality.
[[nodiscard]] Plan heuristic_plan(const std::string& method, const PlanningProblem& given,
                                  std::span<const Plan> others, std::optional<Duration> enough,
                                  const Stop& stop);

// The orders of a plan made for another pool, moved to all slots of the problem.
[[nodiscard]] Plan moved_plan(const Plan& plan, const PlanningProblem& problem);

}  // namespace wavewright
