// Memory of the application masters that a plan's pools have at a time.
#pragma once

#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"
#include "wavewright/live/yarn/pool_queues.h"
#include "wavewright/sched/plan.h"

namespace wavewright {

// For each pool of the plan, in its order: as its slots run the jobs, each with a master from its first task
// to its end. Sizes that a job does not state are those of the cluster, whose step they are rounded up to.
// Nothing is known where no job has tasks, or where the slots cannot run them. O(simulation).
[[nodiscard]] std::vector<PoolMasters> pool_masters(const Plan& plan, const Workload& batch,
                                                    const Cluster& cluster, double slowstart);

}  // namespace wavewright
