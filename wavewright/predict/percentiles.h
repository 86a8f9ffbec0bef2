// How a job's completion time varies: simulated again and again with task durations drawn from its profile.
#pragma once

#include <cstdint>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/profile.h"
#include "wavewright/predict/statistics.h"

namespace wavewright {

struct Percentiles {
  double p50_ms = 0;
  double p95_ms = 0;
  double mean_ms = 0;
  Count replications = 0;
};

// Each replication draws every task's duration from the profile's samples, independently and with
// replacement, and runs the job alone on the slots (predict/single_job.h); the overhead is added. `job` says
// how many tasks, and the overhead. Draws of one seed are the same on every machine. NoAnswer where there are
// tasks and no slots. O(replications · tasks · log slots).
[[nodiscard]] Percentiles simulate_percentiles(const JobProfile& profile, const JobStatistics& job,
                                               SlotPool slots, std::uint64_t seed, Count replications = 300);

}  // namespace wavewright
