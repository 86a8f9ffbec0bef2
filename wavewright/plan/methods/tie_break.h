// Of plans that are equally good, or nearly, the one that is best under the other objective: the least total
// completion time for the makespan, and the reverse. A search with the objective as a limit
// (methods/annealing.h; for batches that it does not model, methods/late_acceptance.h).
#pragma once

#include <span>

#include "wavewright/core/stop.h"
#include "wavewright/plan/planner.h"
#include "wavewright/plan/schedule/priority_rule.h"

namespace wavewright {

// The largest value that is within `problem.within` of `value`.
[[nodiscard]] Duration largest_within(Duration value, double within);

// Replaces `plan` by a plan whose value is within `problem.within` of its own, if one with a smaller value of
// the other objective is found. `rules`: where to start besides the plan and the usual orders; a rule that is
// not within the limit does no harm. Keeps the plan's bounds and method; adds to its `evaluated`.
void break_ties(Plan& plan, const PlanningProblem& problem, std::span<const PriorityRule> rules,
                std::uint64_t evaluations, const Stop& stop);

}  // namespace wavewright
