// One simulation on the command line: a line that says how far it is, Ctrl-C that ends it with what there is,
// and tasks that go to their file while they end.
#pragma once

#include "apps/commands/simulate_outputs.h"

namespace wavewright::app {

struct SimulatedRun {
  SimulationResult result;
  StreamedUsage usage;
};

// By the fast engine. Where nothing else needs the tasks, their file is written here, and none is kept.
[[nodiscard]] SimulatedRun simulate_watched(const Context& context, const Workload& workload, Policy& policy,
                                            ClusterOptions how, const SimulationOutputs& outputs);
// By the reference engine, which shows and heeds nothing meanwhile.
[[nodiscard]] SimulatedRun simulate_by_reference(const Workload& workload, Policy& policy, ClusterOptions how,
                                                 const SimulationOutputs& outputs);

}  // namespace wavewright::app
