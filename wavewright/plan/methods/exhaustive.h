// The best single order of a small batch: every order of jobs, depth first, with the maps' schedule kept for
// each prefix, and without those branches that a bound shows to hold nothing better [CLOUD §5.5, ORDER Alg.
// 3].
#pragma once

#include <memory>

#include "wavewright/plan/planner.h"

namespace wavewright {

// Of batches of up to 12 jobs that plan/list_schedule.h models. O(orders · jobs) at worst.
[[nodiscard]] std::unique_ptr<Planner> make_exhaustive();

}  // namespace wavewright
