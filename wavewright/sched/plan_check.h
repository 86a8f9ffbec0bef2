// Checks that a plan fits a workload and a pool.
#pragma once

#include <string>

#include "wavewright/job/job.h"
#include "wavewright/sched/plan.h"

namespace wavewright {

// Throws InputError (with `source`) unless the plan names each job of the workload once and in one pool, its
// turns give each job exactly its tasks, each job has at most one cap, and all pools fit into `pool`.
void check_plan(const Plan& plan, const Workload& workload, SlotPool pool, const std::string& source);

}  // namespace wavewright
