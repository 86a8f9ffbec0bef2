// How the plug-in of the ResourceManager chooses nodes for the maps of a batch (plugins/yarn, `placement`).
#pragma once

#include <string>
#include <string_view>

#include "wavewright/core/time.h"

namespace wavewright {

struct TargetPlacer {
  std::string name = {};    // as the plug-in knows it; empty = YARN chooses
  Duration node{}, rack{};  // waits of `delay`

  friend bool operator==(const TargetPlacer&, const TargetPlacer&) = default;
};

// `delay(3s, rack=2s)`, `matchmaking`, as the simulator's placers (sched/placers/delay.h,
// sched/placers/matchmaking.h); empty = none. Throws UsageError for another text.
[[nodiscard]] TargetPlacer parse_target_placer(std::string_view spec);

}  // namespace wavewright
