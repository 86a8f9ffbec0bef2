// Nodes reserved under YARN's Capacity scheduler [RegularContainerAllocator.assignContainer, LeafQueue].
//
// Reserved memory counts as used. So a job gets a container only if it fits into the memory that is free on
// all nodes without what is reserved for others, and reserves a node only if it fits beside its own
// reservations, too. Where its next container does not, no job of its queue behind it gets anything from the
// node, so that jobs go first in, first out; and jobs of other queues behind it get only what they have
// reserved, so that what its queue may take adds up [ResourceLimits.getNetLimit]. A job reserves as many
// nodes as it asks for containers, and more while they stay too small for long. If it has so many, or there
// is no memory beside its own reservations, it starts on a node that is not reserved all the same: its oldest
// reservation ends then.
#pragma once

#include <algorithm>

#include "wavewright/core/quantity.h"

namespace wavewright::sim {

// How many more nodes a job may reserve than it asks for containers. `again`: reports of nodes reserved for
// it that were too small still, since one of its reservations ended last. `asked`: memory of its next
// container; `least`, `most`: the smallest and the largest container there may be.
[[nodiscard]] inline Count further_reservations(Count again, Count reserved, Count asked, Count least,
                                                Count most) {
  if (reserved == 0) return 0;
  const auto share = [&](Count of) { return static_cast<double>(of) / static_cast<double>(most); };
  const double large = std::min(share(asked), 1 - share(least));
  return static_cast<Count>(static_cast<double>(again) / static_cast<double>(reserved) * (1 - large));
}

}  // namespace wavewright::sim
