// TP-ATI: after a round, wait as long as the cluster is expected to work on it, and an interval at least
// [ORDER Alg. 2].
//
// Readings (papers.md): T_A is the two-stage makespan of the jobs in the order dispatched; after a look at an
// empty queue the wait is the interval; neither the backlog nor the time that ordering takes is in it.
#pragma once

#include <memory>

#include "wavewright/dispatch/reorder_policy.h"

namespace wavewright {

// `least` above 0; the first round is due at `begin + least`.
[[nodiscard]] std::unique_ptr<ReorderPolicy> make_adaptive_interval(Duration least, Time begin);

}  // namespace wavewright
