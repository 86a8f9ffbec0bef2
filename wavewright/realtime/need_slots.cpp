#include "wavewright/realtime/need_slots.h"

#include "wavewright/core/error.h"

namespace wavewright {

void need_slots(const std::string& policy, const PolicyContext& context) {
  if (!context.containers) return;
  throw UsageError("policy '" + policy + "' promises slots, and this cluster gives out containers",
                   "use a cluster file with kind = \"slots\"");
}

void need_no_placer(const std::string& policy, const PolicyContext& context, const std::string& remedy) {
  if (!context.placer) return;
  throw UsageError(
      "policy '" + policy + "' promises that free slots are taken, and a placer may let them wait", remedy);
}

void need_all_starts(const std::string& policy, const std::string& what, const PolicyContext& context,
                     const std::string& remedy) {
  const AssignmentDelays& delays = context.delays;
  if (delays.map <= delays.first && delays.reduce <= 2 * delays.first) return;
  throw UsageError(
      "policy '" + policy + "': " + what +
          " promises nothing where a node has more slots than it starts tasks a heartbeat",
      remedy + ", or leave out maps_per_heartbeat and reduces_per_heartbeat in the cluster file");
}

}  // namespace wavewright
