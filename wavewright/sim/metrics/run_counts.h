// How many jobs and attempts of a simulated run came to which end.
#pragma once

#include "wavewright/sim/result.h"

namespace wavewright {

struct RunCounts {
  // Jobs; their sum is all of the workload.
  Count done = 0, failed = 0, rejected = 0, unfinished = 0;
  // Attempts. `lost`: with a node, or killed (JobOutcome::lost_attempts).
  Count failed_attempts = 0, lost_attempts = 0, second_attempts = 0;
};

// O(jobs).
[[nodiscard]] RunCounts counts_of(const SimulationResult& result);

}  // namespace wavewright
