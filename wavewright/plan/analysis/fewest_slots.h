// The fewest slots with which a batch meets a deadline, bounded from both sides.
//
// From above: plans that were found and simulated. From below: lower bounds of every plan. A plan for n slots
// is a plan for every larger number, because slots may stay idle. The search is not monotone (list schedules
// have anomalies, a search may fail), so numbers just below the least one found get a longer search.
#pragma once

#include <functional>
#include <string>

#include "wavewright/plan/analysis/pool_choice.h"
#include "wavewright/plan/planner.h"

namespace wavewright {

struct SlotsProblem {
  std::shared_ptr<const Workload> batch;
  Duration deadline{};  // for the makespan
  PoolWish wish = {};
  double slowstart = 1.0;
  std::uint64_t seed = 0;
  std::string method = {};                      // empty: `best`, started from a few orders (heuristic.h)
  std::uint64_t evaluations = 0;                // per pool; 0 = chosen by the number of tasks
  TaskOrder task_order = TaskOrder::as_listed;  // in which the batch's tasks stand already
};

struct FewestSlots {
  SlotPool pool;
  Plan plan;                       // meets the deadline
  Count slots = 0;                 // of the kinds that were searched for
  Count at_least = 0;              // proved: fewer slots cannot meet the deadline
  Duration bound_with_one_less{};  // lower bound of every plan with one slot less; 0 if there is no such pool
  Count pools_tried = 0;
  bool partial = false;  // stopped before the search was over

  [[nodiscard]] bool proved() const { return slots == at_least; }
};

// `progress` is called with each pool before it is tried. Throws Infeasible if the bounds prove that no
// number of slots meets the deadline (the message names the bottleneck), and if no plan was found.
[[nodiscard]] FewestSlots fewest_slots(const SlotsProblem& problem,
                                       const std::function<void(SlotPool)>& progress, const Stop& stop);

}  // namespace wavewright
