// One simulation on the command line: a line that says how far it is, Ctrl-C that ends it with what there is,
// and tasks that go to their file while they end.
#pragma once

#include "apps/commands/simulate_outputs.h"

namespace wavewright::app {

// By the fast engine. Where the tasks' file is all that needs the tasks, it is written here, and none is
// kept.
[[nodiscard]] SimulationResult simulate_watched(const Context& context, const Workload& workload,
                                                Policy& policy, ClusterOptions how,
                                                const SimulationOutputs& outputs);
// By the obvious engine, which shows and heeds nothing meanwhile.
[[nodiscard]] SimulationResult simulate_obviously(const Workload& workload, Policy& policy,
                                                  ClusterOptions how, const SimulationOutputs& outputs);

}  // namespace wavewright::app
