// The real-time policies, for a registry.
#pragma once

#include <vector>

#include "wavewright/sched/registry.h"

namespace wavewright {

[[nodiscard]] std::vector<PolicyEntry> realtime_policies();

}  // namespace wavewright
