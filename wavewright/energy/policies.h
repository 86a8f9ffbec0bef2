// The policies that save energy, for a registry.
#pragma once

#include <vector>

#include "wavewright/sched/registry.h"

namespace wavewright {

[[nodiscard]] std::vector<PolicyEntry> energy_policies();

}  // namespace wavewright
