// The slots that promises are made on.
#pragma once

#include "wavewright/cluster/cluster.h"
#include "wavewright/sched/view.h"

namespace wavewright {

// Of nodes where tasks may start now: none of one that is away. O(nodes).
[[nodiscard]] inline SlotPool slots_there(const View& view) {
  SlotPool there;
  for (NodeIndex node = 0; node < view.nodes(); ++node) {
    there.map_slots += view.slots_on(node, Kind::map);
    there.reduce_slots += view.slots_on(node, Kind::reduce);
  }
  return there;
}

}  // namespace wavewright
