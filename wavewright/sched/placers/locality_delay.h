// Locality of the Capacity scheduler: a job that is offered a node without a block of its maps lets the offer
// go, until it has let enough go [RegularContainerAllocator.canAssign].
//
// An offer to a job is an opportunity, taken or not; so is a node with too little room for the map, which is
// reserved only if the job would take it. With n nodes and d = min(n, node_locality_delay), a job
// with more than d opportunities since its last launch on a node or in a rack of a block takes its block's
// rack. It takes any node after more than min(n, node_locality_delay + additional delay) of them; without an
// additional delay after more than min(n, m · min(l / n, 1)), where m of its maps wait, with blocks on l
// nodes and racks. A launch on any other node does not start the count anew.
#pragma once

#include <memory>
#include <optional>

#include "wavewright/sched/policy.h"

namespace wavewright {

struct LocalityDelay {
  Count node = 40;                         // [yarn.scheduler.capacity.node-locality-delay]
  std::optional<Count> rack_additional{};  // [….rack-locality-additional-delay]
};

// Its name is `capacity`: it is a part of that policy. O(jobs passed over) an offer.
[[nodiscard]] std::unique_ptr<Placer> make_locality_delay(const LocalityDelay& delay);

}  // namespace wavewright
