// Rules that order any number of waiting jobs at once: the algorithms of ORDER's engine, and the classical
// ones for the other objectives. Each gives positions in `jobs`, first served first; equal ones keep their
// order. O(jobs · log jobs).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "wavewright/dispatch/waiting_job.h"
#include "wavewright/job/objective.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

using OrderingRule = std::vector<JobIndex> (*)(std::span<const WaitingJob> jobs, SlotPool pool);

// For the makespan: Johnson's rule on (T^M, T^R) [ORDER Alg. 3, MK].
[[nodiscard]] std::vector<JobIndex> johnson_rule(std::span<const WaitingJob> jobs, SlotPool pool);

// For total completion time: shortest T^M + T^R first [ORDER Alg. 4, TCT].
[[nodiscard]] std::vector<JobIndex> shortest_rule(std::span<const WaitingJob> jobs, SlotPool pool);

// For weighted completion times: least (T^M + T^R) / weight first [Smith 1956].
[[nodiscard]] std::vector<JobIndex> weighted_rule(std::span<const WaitingJob> jobs, SlotPool pool);

// For lateness: earliest deadline first, jobs without one last, the shortest of these first [Jackson 1955].
[[nodiscard]] std::vector<JobIndex> deadline_rule(std::span<const WaitingJob> jobs, SlotPool pool);

// The objectives of a dispatching queue: those with a rule.
inline constexpr std::array queue_objectives{Objective::makespan, Objective::total_completion,
                                             Objective::weighted_completion, Objective::max_lateness,
                                             Objective::total_tardiness};
// The rule for one of them. A Defect with any other.
[[nodiscard]] OrderingRule rule_of(Objective objective);

}  // namespace wavewright
