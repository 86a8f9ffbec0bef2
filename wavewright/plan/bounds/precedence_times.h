// What `after` adds to lower bounds: how soon each job can be there, and how much must pass after its end.
//
// Model: that of lower_bound.h, where a job starts no task before those it waits for are done. Without
// `after` more schedules are allowed, so that every bound of lower_bound.h holds for a workflow too; with the
// submissions raised to the heads, it holds still.
//
//  chain  A job is there once the longest chain of jobs before it is done, each alone on the pool: its maps,
//         then its reduces, a stage for as long as counting_bound.h says, or its work over the slots.
//  loads with heads and tails  All jobs before it are done by then, and each has what stands between the two
//         to go. A stage is a machine as fast as all its slots; with a time from which each job's work is
//         ready (head) and one that must pass after it (tail), the ready work of the largest tail first,
//         interrupted at will, ends soonest [Jackson 1955; Horn 1974]. So for the whole batch as well, and,
//         seen from the end, for all jobs after a job.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"

namespace wavewright {

struct PrecedenceTimes {
  std::vector<std::int64_t> heads;  // by job, ms: it is there no earlier; its submission or more
  std::vector<std::int64_t> tails;  // of the makespan at least so much lies after the job's end
  std::int64_t makespan = 0;        // no schedule is shorter
};

// Loads of the jobs before and after each job are looked at where there are up to 1000 jobs: O(tasks · log
// tasks + n · (edges + n log n)). Not `thorough`, a stage alone takes as long as its longest task, and
// heads and tails are those of chains: O(tasks + edges + n log n).
[[nodiscard]] PrecedenceTimes precedence_times(const Workload& workload, SlotPool pool, bool thorough = true);

// The jobs without `after`, submitted at their heads.
[[nodiscard]] Workload released(const Workload& workload, std::span<const std::int64_t> heads);

// Work of one machine that is ready at `head` and after which `tail` must pass: when the last tail is over,
// at the least. For tests. O(n log n).
struct HeadedWork {
  std::int64_t head = 0;
  std::int64_t work = 0;
  std::int64_t tail = 0;
};
[[nodiscard]] std::int64_t end_of_tails(std::vector<HeadedWork> parts);

}  // namespace wavewright
