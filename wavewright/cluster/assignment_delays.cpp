#include "wavewright/cluster/assignment_delays.h"

#include <algorithm>

namespace wavewright {

namespace {

// Heartbeats until each of a node's slots had its turn.
Count rounds(Count slots, Count a_heartbeat) {
  if (slots == 0) return 0;
  return a_heartbeat == 0 ? 1 : (slots + a_heartbeat - 1) / a_heartbeat;
}

}  // namespace

AssignmentDelays assignment_delays(const Cluster& cluster) {
  const ClusterMode& mode = cluster.mode;
  AssignmentDelays delays{.first = mode.heartbeat,
                          .launch = mode.launch,
                          .setup = cluster.masters.start,
                          .commit = cluster.masters.finish};
  for (const NodeGroup& group : cluster.nodes) {
    delays.map =
        std::max(delays.map, rounds(group.slots.map_slots, mode.maps_per_heartbeat) * mode.heartbeat);
    if (group.slots.reduce_slots == 0) continue;
    const Count reports = rounds(group.slots.reduce_slots, mode.reduces_per_heartbeat) + 1;
    delays.reduce = std::max(delays.reduce, reports * mode.heartbeat);
  }
  return delays;
}

}  // namespace wavewright
