// Groups of equal machines in any order: ascending order is not always the best.
//
// Example: jobs of 8, 9 and 9, S = 1 and 21/20, a = 1, b = 5, ⌊M/g⌋ machines forced. Ascending groups cost at
// least 207; (9, 9) and then (8) cost 206⅓. With free machines both orders cost 201 here, but other jobs
// differ (tests/rent/any_order_test.cpp).
//
// Groups that are given run best by Smith's rule: by length / number of jobs, ascending. So only the
// partition into groups, and the machines of each, are searched.
#pragma once

#include "wavewright/rent/group_sizes.h"
#include "wavewright/rent/problem.h"

namespace wavewright {

inline constexpr std::size_t most_exact_jobs = 12;

// Up to `most_exact_jobs` jobs: the optimum, by dynamic programming over the sets of jobs that are left;
// O(3^N · M). More jobs: from the ascending optimum, jobs move between groups, groups merge and split, as
// long as it pays; never worse than ascending groups. At most `most_priced_jobs` / N plans are priced, O(N)
// each.
[[nodiscard]] RentPlan any_order(const RentProblem& problem, GroupMachines machines = GroupMachines::free);

inline constexpr std::size_t most_priced_jobs = 20'000'000;

}  // namespace wavewright
