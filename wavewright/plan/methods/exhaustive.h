// The best single order of a batch, proved: orders as a tree, without the branches that a bound shows to hold
// nothing better (methods/branch_and_bound.h); for total completion time where jobs go one after the other,
// as on one slot of each kind, sets of jobs instead (methods/flow_shop.h) [CLOUD §5.5, ORDER Alg. 3].
#pragma once

#include <memory>

#include "wavewright/plan/planner.h"

namespace wavewright {

// Of batches of up to 32 jobs that plan/schedule/list_schedule.h models. Up to 9 jobs that are all there at
// time 0 it always comes to the end; for others some seconds' worth of prefixes are tried, or as many as
// `evaluations` says. `best_single_order` of the plan says whether it came to the end.
[[nodiscard]] std::unique_ptr<Planner> make_exhaustive();

}  // namespace wavewright
