// What an order or a plan is worth: the simulator says.
#pragma once

#include <optional>
#include <span>

#include "wavewright/plan/planner.h"
#include "wavewright/plan/schedule/any_schedule.h"
#include "wavewright/plan/value.h"
#include "wavewright/sim/simulate.h"

namespace wavewright {

// Orders of one batch on one pool, tried many times: on a list schedule where it models them, else
// simulated.
// The batch must outlive it.
class OrderEvaluator {
 public:
  OrderEvaluator(const Workload& batch, SlotCluster cluster);
  [[nodiscard]] Value value(std::span<const JobIndex> order);
  [[nodiscard]] std::size_t jobs() const { return batch_.jobs.size(); }

 private:
  const Workload& batch_;
  SlotCluster cluster_;
  std::optional<AnySchedule> schedule_;
  std::optional<TaskTable> tasks_;
};

// Jobs of `tasks` served in `order` on the pool. O(simulation).
[[nodiscard]] Value evaluate(const TaskTable& tasks, std::span<const JobIndex> order, SlotCluster cluster);

// The plan executed on the cluster. Throws as simulate(). O(simulation).
[[nodiscard]] SimulationResult simulate_plan(const Plan& plan, const Workload& batch, SlotCluster cluster,
                                             bool trace = false);

// Fills a plan's values and lower bound from a simulation of the plan itself.
void value_plan(Plan& plan, const PlanningProblem& problem);

// The ids of the jobs, in that order.
[[nodiscard]] std::vector<std::string> ids_of(const Workload& batch, std::span<const JobIndex> order);

// A plan of one pool with that order, not yet valued.
[[nodiscard]] Plan plan_of_order(const PlanningProblem& problem, const std::string& method,
                                 std::span<const JobIndex> order);

}  // namespace wavewright
