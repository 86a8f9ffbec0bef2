// The longest remaining chain first: a job's rank is its own length and the largest rank of the jobs that
// wait for it, which is how long the rest of the workflow takes at least once it starts: the upward rank of
// HEFT [Topcuoglu, Hariri and Wu 2002], here of whole jobs and on slots that are all alike.
#pragma once

#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

// By position; a job's length is that of its two stages alone on the pool (methods/stage_times.h). O(tasks ·
// log slots + edges · log edges).
[[nodiscard]] std::vector<Duration> chain_lengths(const Workload& batch, SlotPool pool);

// Descending ranks; equal ones keep their order. No job stands before one it waits for, unless jobs of it and
// between them have no length.
[[nodiscard]] std::vector<JobIndex> critical_path_order(const Workload& batch, SlotPool pool);

}  // namespace wavewright
