// The reference engines, which tests hold the fast ones against.
#pragma once

#include "wavewright/job/job.h"
#include "wavewright/sched/policy.h"
#include "wavewright/sim/model/node_model.h"
#include "wavewright/sim/result.h"

namespace wavewright::sim {

// Every heartbeat, every slot and every job each time; with a trace.
[[nodiscard]] SimulationResult nodes_reference(const Workload& workload, Policy& policy,
                                               const NodeModel& model);
[[nodiscard]] SimulationResult containers_reference(const Workload& workload, Policy& policy,
                                                    const NodeModel& model);

}  // namespace wavewright::sim
