// One simulation on the command line: a progress line, Ctrl-C that ends it with the results so far, and tasks
// that are written to their file as they end.
#pragma once

#include "apps/commands/simulate_outputs.h"

namespace wavewright::app {

struct SimulatedRun {
  SimulationResult result;
  StreamedUsage usage;
};

// Uses the fast engine. If nothing else needs the tasks, their file is written here and none is kept.
[[nodiscard]] SimulatedRun simulate_watched(const Context& context, const Workload& workload, Policy& policy,
                                            ClusterOptions how, const SimulationOutputs& outputs);
// Uses the reference engine, without progress or interruption.
[[nodiscard]] SimulatedRun simulate_by_reference(const Workload& workload, Policy& policy, ClusterOptions how,
                                                 const SimulationOutputs& outputs);

}  // namespace wavewright::app
