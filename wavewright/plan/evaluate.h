// Simulated values of orders and plans.
#pragma once

#include <optional>
#include <span>

#include "wavewright/plan/planner.h"
#include "wavewright/plan/schedule/any_schedule.h"
#include "wavewright/plan/value.h"
#include "wavewright/sim/simulate.h"

namespace wavewright {

// The value of an order. O(simulation).
[[nodiscard]] PlanValue evaluate(const TaskTable& tasks, std::span<const JobIndex> order,
                                 SlotCluster cluster);

// Simulates the plan on the cluster. The batch's tasks stand as listed; the trace has their listed numbers.
// Throws like simulate().
[[nodiscard]] SimulationResult simulate_plan(const Plan& plan, const Workload& batch, SlotCluster cluster,
                                             bool trace = false);
// Likewise for a batch whose tasks stand in the plan's task order already, as in a PlanningProblem.
[[nodiscard]] SimulationResult simulate_arranged(const Plan& plan, const Workload& arranged,
                                                 SlotCluster cluster, bool trace = false);

// Simulates the plan and sets its task order, values, lower bounds and proof.
void value_plan(Plan& plan, const PlanningProblem& problem);

[[nodiscard]] std::vector<std::string> ids_of(const Workload& batch, std::span<const JobIndex> order);

// A plan with one pool and this order; its values are not set.
[[nodiscard]] Plan plan_of_order(const PlanningProblem& problem, const std::string& method,
                                 std::span<const JobIndex> order);

}  // namespace wavewright
