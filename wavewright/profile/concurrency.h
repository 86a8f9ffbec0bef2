// How many attempts of a run were at work at once: the slots that it really had.
#pragma once

#include "wavewright/cluster/cluster.h"
#include "wavewright/history/run.h"

namespace wavewright {

// The most map and the most reduce attempts (of whatever outcome) between whose start and finish one instant
// lies; one that ends as another starts has given it its slot. Attempts without both instants are not seen.
// O(attempts · log attempts).
[[nodiscard]] SlotPool peak_attempts(const JobRun& run);

}  // namespace wavewright
