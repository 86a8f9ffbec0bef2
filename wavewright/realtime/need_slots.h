// Real-time policies promise slots.
#pragma once

#include <string>

#include "wavewright/sched/registry.h"

namespace wavewright {

// Throws UsageError if the cluster gives out containers.
void need_slots(const std::string& policy, const PolicyContext& context);

}  // namespace wavewright
