// What an order or a plan is worth: the simulator says.
#pragma once

#include <span>

#include "wavewright/plan/planner.h"
#include "wavewright/plan/value.h"
#include "wavewright/sim/simulate.h"

namespace wavewright {

// Jobs of `tasks` served in `order` on the pool. O(simulation).
[[nodiscard]] Value evaluate(const TaskTable& tasks, std::span<const JobIndex> order, SlotPool pool,
                             double slowstart);

// Fills a plan's values and lower bound from a simulation of the plan itself.
void value_plan(Plan& plan, const PlanningProblem& problem);

// A plan of one pool with that order, not yet valued.
[[nodiscard]] Plan plan_of_order(const PlanningProblem& problem, const std::string& method,
                                 std::span<const JobIndex> order);

}  // namespace wavewright
