// How long tasks of a simulated run waited for a slot or a container: the queue in front of the cluster.
#pragma once

#include <vector>

#include "wavewright/job/job.h"
#include "wavewright/sim/result.h"

namespace wavewright {

// An attempt that could start from `from` on and started at `to`, or was given up then: its job failed, or
// the simulation was stopped.
struct TaskWait {
  JobIndex job = 0;
  Kind kind = Kind::map;
  Time from{};
  Time to{};
};

// When each job's predecessors were done, or its submission, if that is later. O(jobs + edges).
[[nodiscard]] std::vector<Time> release_times(const SimulationResult& result, const Workload& workload);

// The waits of some length, by job. A master waits from its job's release; maps wait from the release (and
// `[masters] start_ms`) or, with containers, from when the job's first master was up; reduces from the end of
// the map that slow-start asks for; an attempt after another from that one's end, second attempts of slow
// tasks not at all. `result` must have been recorded with `trace`. O(tasks · log tasks).
[[nodiscard]] std::vector<TaskWait> task_waits(const SimulationResult& result, const Workload& workload,
                                               const Cluster& cluster);

}  // namespace wavewright
