// The fewest slots with which a batch meets a deadline, and how sure that is.
//
// Two things enclose the answer: plans that were found and simulated, and lower bounds that no plan can pass.
// What could be met with n slots can be met with more, for slots may stay idle; what the search finds is not
// monotone (list schedules have anomalies, and a search may fail), so a plan for n counts for every larger
// number, and numbers below the least found are tried once more with a longer search.
#pragma once

#include <functional>
#include <string>

#include "wavewright/plan/analysis/pool_choice.h"
#include "wavewright/plan/planner.h"

namespace wavewright {

struct SlotsProblem {
  std::shared_ptr<const Workload> batch;
  Duration deadline{};  // of the makespan
  PoolWish wish = {};
  double slowstart = 1.0;
  std::uint64_t seed = 0;
  std::string method = {};        // empty: `best` from a few orders on (heuristic.h)
  std::uint64_t evaluations = 0;  // of a search for one pool; 0 = some by the number of tasks
};

struct FewestSlots {
  SlotPool pool;
  Plan plan;                       // meets the deadline
  Count slots = 0;                 // those looked for, of the pool
  Count at_least = 0;              // no fewer can do, as bounds prove
  Duration bound_with_one_less{};  // no plan with one slot less ends sooner; 0 where there is no such pool
  Count pools_tried = 0;
  bool partial = false;  // stopped before the search was over

  [[nodiscard]] bool proved() const { return slots == at_least; }
};

// Throws NoAnswer where no number of slots meets the deadline, saying what decides then, and where none was
// found. `progress` is told what is tried.
[[nodiscard]] FewestSlots fewest_slots(const SlotsProblem& problem,
                                       const std::function<void(SlotPool)>& progress, const Stop& stop);

}  // namespace wavewright
