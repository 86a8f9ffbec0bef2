// TP-ATI: a round when the cluster should have finished the last one, and at least an interval after it
// [ORDER Alg. 2].
//
// Interpretations (papers.md): T_A is the two-stage makespan of the round's jobs in the order dispatched; it
// includes neither the backlog nor the time of ordering. If the queue is empty, the wait is the interval.
#pragma once

#include <memory>

#include "wavewright/dispatch/reorder_policy.h"

namespace wavewright {

// `least` above 0; the first round is due at `begin + least`.
[[nodiscard]] std::unique_ptr<ReorderPolicy> make_adaptive_interval(Duration least, Time begin);

}  // namespace wavewright
