// Estimates of a job's task durations, for policies.
#pragma once

#include "wavewright/job/job.h"
#include "wavewright/sched/policy.h"

namespace wavewright::sim {

// The job as a policy knows it: where lengths were drawn, with those that were expected. O(1).
[[nodiscard]] inline const Job& known_job(const Workload& workload, JobIndex job) {
  return workload.expected ? workload.expected->jobs.at(job) : workload.jobs.at(job);
}

// At speed 1. A node's speed divides the work of a task, and not its shuffle.
struct NominalEstimate {
  Estimate work;
  Estimate shuffle;  // of reduces: the mean of the later wave, and the longest of either wave

  [[nodiscard]] Estimate at_speed_1() const { return {work.mean + shuffle.mean, work.max + shuffle.max}; }
};

// Of a job's tasks of one kind. O(tasks).
[[nodiscard]] NominalEstimate estimate_of(const Job& job, Kind kind);

}  // namespace wavewright::sim
