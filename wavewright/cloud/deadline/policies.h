// The deadline policies by name, with the parameters that they share [CLOUD ch. 4].
#pragma once

#include <vector>

#include "wavewright/sched/registry.h"

namespace wavewright {

// edf, least-slack, epedf, …: for an application's registry.
[[nodiscard]] std::vector<PolicyEntry> deadline_policies();

}  // namespace wavewright
