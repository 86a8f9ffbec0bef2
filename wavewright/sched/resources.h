// Amounts of what a cluster gives out: slots, memory, virtual cores.
#pragma once

#include <cstdint>

#include "wavewright/core/quantity.h"

namespace wavewright {

inline constexpr Count unlimited = std::int64_t{1} << 62;

// Slots; with containers memory in MiB, the same number for both kinds.
struct Resources {
  Count map_slots = 0;
  Count reduce_slots = 0;
};

// Virtual cores, where jobs have application masters.
struct Cores {
  Count free = unlimited;  // on the nodes that are up, in no container; may fall below 0 where no limit holds
  Count of_master = 0;     // what an application master takes
};

}  // namespace wavewright
