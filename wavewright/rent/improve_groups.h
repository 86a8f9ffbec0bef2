// Improves a plan of groups by small changes.
#pragma once

#include "wavewright/rent/group_sizes.h"
#include "wavewright/rent/problem.h"

namespace wavewright {

// Orders the groups by Smith's rule: length / number of jobs, ascending; equal ones as they are. No other
// order of these groups costs less: the rent stays, and each group delays all jobs behind it by its length.
// O(n log n).
[[nodiscard]] RentPlan smith_order(const RentProblem& problem, std::vector<RentGroup> groups);

// From `plan`, whose jobs have equal machines in each group: jobs move to another group, neighbours merge,
// groups split, and, if free, groups take other numbers of machines. A change that lowers the cost stays, in
// a fixed order of tries. Stops where none does, or after `most_priced_jobs` / n tries (any_order.h). Never
// worse than `plan`.
[[nodiscard]] RentPlan improve_groups(const RentProblem& problem, RentPlan plan,
                                      GroupMachines machines = GroupMachines::free);

}  // namespace wavewright
