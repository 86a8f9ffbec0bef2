// Estimates of a job's task durations, for policies.
#pragma once

#include "wavewright/job/job.h"
#include "wavewright/sched/policy.h"

namespace wavewright::sim {

// The job as a policy knows it: where lengths were drawn, with those that were expected. O(1).
[[nodiscard]] inline const Job& known_job(const Workload& workload, JobIndex job) {
  return workload.expected ? workload.expected->jobs.at(job) : workload.jobs.at(job);
}

// Mean and maximum of a job's tasks of one kind, at speed 1; reduces with the later-wave shuffle. O(tasks).
[[nodiscard]] Estimate estimate_of(const Job& job, Kind kind);

}  // namespace wavewright::sim
