// The reference engines, with which tests compare the fast ones.
#pragma once

#include "wavewright/job/job.h"
#include "wavewright/sched/policy.h"
#include "wavewright/sim/model/node_model.h"
#include "wavewright/sim/result.h"

namespace wavewright::sim {

// They visit every heartbeat, every slot and every job each time, and record a trace.
[[nodiscard]] SimulationResult nodes_reference(const Workload& workload, Policy& policy,
                                               const NodeModel& model);
[[nodiscard]] SimulationResult containers_reference(const Workload& workload, Policy& policy,
                                                    const NodeModel& model);

}  // namespace wavewright::sim
