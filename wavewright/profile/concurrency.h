// The slots that a run had: the most attempts that ran at once.
#pragma once

#include "wavewright/cluster/cluster.h"
#include "wavewright/history/run.h"

namespace wavewright {

// The most map and the most reduce attempts (of any outcome) at one instant. An attempt that starts when
// another ends reuses its slot. Those without start or finish do not count. O(attempts · log attempts).
[[nodiscard]] SlotPool peak_attempts(const JobRun& run);

}  // namespace wavewright
