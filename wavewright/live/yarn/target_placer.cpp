#include "wavewright/live/yarn/target_placer.h"

#include <limits>

#include "wavewright/core/error.h"
#include "wavewright/core/parameters.h"

namespace wavewright {

TargetPlacer parse_target_placer(std::string_view spec) {
  if (spec.empty()) return {};
  const Spec parsed = parse_spec(spec);
  TargetPlacer placer{parsed.name};
  if (parsed.name == "delay") {
    Parameters parameters(parsed, "placer 'delay'",
                          {{"node", "NODE", "wait for a node that holds the block (3s)", true},
                           {"rack", "TIME", "then for its rack (0)"}});
    const Range<Duration> range{Duration{}, ms(std::numeric_limits<std::int32_t>::max())};
    placer.node = parameters.duration("node", ms(3000), range);
    placer.rack = parameters.duration("rack", Duration{}, range);
    parameters.finish();
  } else if (parsed.name == "matchmaking") {
    Parameters(parsed, "placer 'matchmaking'", {}).finish();
  } else {
    throw UsageError("the plug-in has no placer '" + shortened(parsed.name) + "'",
                     "write delay(3s), delay(3s, rack=2s) or matchmaking");
  }
  return placer;
}

}  // namespace wavewright
