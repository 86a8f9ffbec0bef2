// Amounts of slots, memory and virtual cores.
#pragma once

#include <cstdint>

#include "wavewright/core/quantity.h"

namespace wavewright {

inline constexpr Count unlimited = std::int64_t{1} << 62;

// Slots; with containers, memory in MiB, the same number for both kinds.
struct Resources {
  Count map_slots = 0;
  Count reduce_slots = 0;
};

// Virtual cores, with containers.
struct Cores {
  Count free = unlimited;  // unused on the nodes that are up; may fall below 0 if cores are not limited
  Count of_master = 0;     // of one application master
};

}  // namespace wavewright
