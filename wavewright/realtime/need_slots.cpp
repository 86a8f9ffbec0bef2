#include "wavewright/realtime/need_slots.h"

#include "wavewright/core/error.h"

namespace wavewright {

void need_slots(const std::string& policy, const PolicyContext& context) {
  if (!context.containers) return;
  throw UsageError("policy '" + policy + "' promises slots, and this cluster gives out containers",
                   "use a cluster file with kind = \"slots\"");
}

}  // namespace wavewright
