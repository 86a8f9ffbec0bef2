#include "wavewright/sched/heartbeats.h"

#include "wavewright/core/error.h"

namespace wavewright {

void need_heartbeats(std::string_view placer, const PolicyContext& context) {
  if (context.heartbeats) return;
  throw UsageError("placer '" + std::string(placer) + "' counts heartbeats, which this cluster has not",
                   "give its file [mode] heartbeat_ms, like 3000");
}

}  // namespace wavewright
