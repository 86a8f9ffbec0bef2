// Estimates of a job's task durations, for policies.
#pragma once

#include "wavewright/job/job.h"
#include "wavewright/sched/policy.h"

namespace wavewright::sim {

// Mean and maximum of a job's tasks of one kind, at speed 1; reduces with the later-wave shuffle. O(tasks).
[[nodiscard]] Estimate estimate_of(const Job& job, Kind kind);

}  // namespace wavewright::sim
