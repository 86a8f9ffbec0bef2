// The best single order of a batch, with a proof: branch and bound over orders (methods/branch_and_bound.h).
// For total completion time in a flow shop of jobs, such as on one slot of each kind: dynamic programming
// over sets of jobs (methods/flow_shop.h) [CLOUD §5.5, ORDER Alg. 3].
#pragma once

#include <memory>

#include "wavewright/plan/planner.h"

namespace wavewright {

// For batches of up to 32 jobs that plan/schedule/list_schedule.h models; of other batches without `after` it
// simulates every order of up to 9 jobs. Up to 9 jobs, all submitted at time
// 0, are searched to the end, unless stopped. For other batches it tries `evaluations` prefixes, or some
// seconds' worth. The plan's `best_single_order` is true if the search completed.
[[nodiscard]] std::unique_ptr<Planner> make_exhaustive();

}  // namespace wavewright
