// The best single order of a small batch: orders as a tree, depth first, with the maps' schedule kept for
// each prefix. A branch is left out
//  - where a bound (methods/prefix_bound.h) shows that it holds nothing better than the best known;
//  - where a job like the one it goes on with, submitted at the same time, comes before it in the batch and
//    is not yet in the order: with the two exchanged the schedule is the same but for their names.
//
// Submissions: a prefix is fixed as far as no other job can start a map before one of its own, that is while
// each of its jobs is there when the first slot is free, or no other job is there before it. From the first
// one on of which that is not so its jobs count as if they were not in the order yet: bounds hold, and are
// weaker.
#pragma once

#include <cstdint>
#include <vector>

#include "wavewright/plan/planner.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

struct BranchAndBoundResult {
  std::vector<JobIndex> order;  // the best that was found
  std::uint64_t evaluations = 0;
  bool complete = false;  // no order has a smaller value
  bool stopped = false;   // by `stop`
};

// Of up to 32 jobs that plan/schedule/list_schedule.h models, which `start` names (the first order tried); at
// most `most_prefixes` of them. Ends early where it comes to `target`. O(prefixes · n²).
[[nodiscard]] BranchAndBoundResult best_single_order(const PlanningProblem& problem,
                                                     const std::vector<JobIndex>& start, Duration target,
                                                     std::uint64_t most_prefixes, const Stop& stop);

}  // namespace wavewright
