// Branch and bound for the best single order of a small batch: depth first over prefixes, with the schedule
// of the maps kept for each prefix. A branch is pruned
// - if a bound (methods/prefix_bound.h) shows that it holds nothing better than the incumbent;
// - if an identical job, submitted at the same time and earlier in the batch, is not yet in the order:
//   swapping the two gives the same schedule.
//
// Submissions: a prefix is fixed while no other job can start a map before one of its own: each of its jobs
// is submitted when the first slot is free, or no other job is submitted before it. From the first job for
// which this is false, the jobs of the prefix count as not yet ordered. Bounds stay valid but are weaker.
#pragma once

#include <cstdint>
#include <vector>

#include "wavewright/plan/planner.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

struct BranchAndBoundResult {
  std::vector<JobIndex> order;  // the best order found
  std::uint64_t evaluations = 0;
  bool complete = false;  // no order has a smaller value
  bool stopped = false;   // by `stop`
};

// For up to 32 jobs that plan/schedule/list_schedule.h models. `start` is the first order tried. Tries at
// most `most_prefixes` prefixes and ends early at the value `target`. O(prefixes · n²).
[[nodiscard]] BranchAndBoundResult best_single_order(const PlanningProblem& problem,
                                                     const std::vector<JobIndex>& start, Duration target,
                                                     std::uint64_t most_prefixes, const Stop& stop);

}  // namespace wavewright
