// How long tasks of a simulated run waited for a slot or a container.
#pragma once

#include <vector>

#include "wavewright/job/job.h"
#include "wavewright/sim/result.h"

namespace wavewright {

// An attempt that could start at `from` and started at `to`, or was given up then: job failed or run stopped.
struct TaskWait {
  JobIndex job = 0;
  Kind kind = Kind::map;
  Time from{};
  Time to{};
};

// By job: when its predecessors were done, or its submission if that is later. O(jobs + edges).
[[nodiscard]] std::vector<Time> release_times(const SimulationResult& result, const Workload& workload);

// All waits above 0, by job. A master waits from its job's release; maps from the release (and `[masters]
// start_ms`) or, with containers, from when the job's first master was up; reduces from the end of the map
// that slow-start requires; a further attempt from the end of the one before; second attempts of slow tasks
// not at all. `result` must have its `trace`. O(tasks · log tasks).
[[nodiscard]] std::vector<TaskWait> task_waits(const SimulationResult& result, const Workload& workload,
                                               const Cluster& cluster);

}  // namespace wavewright
