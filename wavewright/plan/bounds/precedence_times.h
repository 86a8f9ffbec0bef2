// Heads and tails from precedence (`after`): the earliest start of each job, and the least time from its
// end to the end of the workflow.
//
// Model: that of lower_bound.h, and a job starts no task before its predecessors are done. Without `after`
// more schedules are allowed, so every bound of lower_bound.h is valid for a workflow. It stays valid if
// submissions are raised to the heads.
// - chain: a job starts after the longest chain of jobs before it, each alone on the pool: its maps, then
//   its reduces. A stage takes the counting bound (counting_bound.h), or its work divided by the slots.
// - head–tail load: all jobs before a job end by its head, each with the chain between the two after it. A
//   stage is one machine as fast as all its slots. Work has a ready time (head) and a time that must pass
//   after it (tail). Largest tail first, with preemption, ends soonest [Jackson 1955; Horn 1974]. The same
//   holds for the whole batch and, seen from the end, for all jobs after a job.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"

namespace wavewright {

struct PrecedenceTimes {
  std::vector<std::int64_t> heads;  // by job, ms: earliest start; its submission or later
  std::vector<std::int64_t> tails;  // by job, ms: least time from its end to the makespan
  std::int64_t makespan = 0;        // lower bound, ms
};

// Head–tail loads are used for up to 1000 jobs: O(tasks · log tasks + n · (edges + n log n)). If not
// `thorough`, a stage takes its longest task, and times come from chains: O(tasks + edges + n log n).
[[nodiscard]] PrecedenceTimes precedence_times(const Workload& workload, SlotPool pool, bool thorough = true);

// The workload without `after`, with jobs submitted at their heads.
[[nodiscard]] Workload released(const Workload& workload, std::span<const std::int64_t> heads);

struct HeadedWork {
  std::int64_t head = 0;
  std::int64_t work = 0;
  std::int64_t tail = 0;
};
// The least end of all tails for work on one machine. Public for tests. O(n log n).
[[nodiscard]] std::int64_t end_of_tails(std::vector<HeadedWork> parts);

}  // namespace wavewright
