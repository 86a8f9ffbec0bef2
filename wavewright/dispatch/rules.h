// Ordering rules for waiting jobs: ORDER's algorithms, and the classical rules for other objectives. Each
// gives positions in `jobs`, first served first; equal jobs keep their order. O(jobs · log jobs).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "wavewright/dispatch/waiting_job.h"
#include "wavewright/job/objective.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

using OrderingRule = std::vector<JobIndex> (*)(std::span<const WaitingJob> jobs, SlotPool pool);

// Makespan: Johnson's rule on (T^M, T^R) [ORDER Alg. 3, MK].
[[nodiscard]] std::vector<JobIndex> johnson_rule(std::span<const WaitingJob> jobs, SlotPool pool);

// Total completion time: shortest T^M + T^R first [ORDER Alg. 4, TCT].
[[nodiscard]] std::vector<JobIndex> shortest_rule(std::span<const WaitingJob> jobs, SlotPool pool);

// Weighted completion time: least (T^M + T^R) / weight first [Smith 1956].
[[nodiscard]] std::vector<JobIndex> weighted_rule(std::span<const WaitingJob> jobs, SlotPool pool);

// Lateness: earliest deadline first; jobs without a deadline last, the shortest of them first [Jackson 1955].
[[nodiscard]] std::vector<JobIndex> deadline_rule(std::span<const WaitingJob> jobs, SlotPool pool);

// The objectives that have a rule.
inline constexpr std::array queue_objectives{Objective::makespan, Objective::total_completion,
                                             Objective::weighted_completion, Objective::max_lateness,
                                             Objective::total_tardiness};
// The rule for one of them; throws InternalError for any other objective.
[[nodiscard]] OrderingRule rule_of(Objective objective);

}  // namespace wavewright
