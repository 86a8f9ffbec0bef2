// Critical path order: the longest remaining chain first.
//
// The rank of a job is its own length plus the largest rank of its successors: the length of the longest
// chain from its start to the end of the workflow. This is the upward rank of HEFT [Topcuoglu, Hariri and Wu
// 2002], applied to whole jobs on identical slots.
#pragma once

#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

// Ranks by job. A job's length is the time of its two stages alone on the pool (methods/stage_times.h).
// O(tasks · log slots + edges · log edges).
[[nodiscard]] std::vector<Duration> chain_lengths(const Workload& batch, SlotPool pool);

// Descending ranks; equal ranks keep their order. No job stands before a predecessor, unless both and all
// jobs between them have no length.
[[nodiscard]] std::vector<JobIndex> critical_path_order(const Workload& batch, SlotPool pool);

}  // namespace wavewright
