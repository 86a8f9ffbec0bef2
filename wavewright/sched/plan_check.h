// Whether a plan is one for a workload and a pool.
#pragma once

#include <string>

#include "wavewright/job/job.h"
#include "wavewright/sched/plan.h"

namespace wavewright {

// Throws InputError (with `source`) unless the plan names exactly the workload's jobs, each once and in one
// pool, its turns are of as many tasks as they have, its caps of jobs, each once, and its pools fit together
// into `pool`.
void check_plan(const Plan& plan, const Workload& workload, SlotPool pool, const std::string& source);

}  // namespace wavewright
