// Numbers of machines that differ inside a group.
//
// A group ends with its slowest job. So a long job may have machines of a short one, and the jobs behind
// start sooner.
#pragma once

#include "wavewright/rent/problem.h"

namespace wavewright {

// The best machines for the jobs of one group, as a list beside `jobs`; `later` jobs wait for it. For each
// length D that the group may have, the least Σ w(a·m + b)/S(m) with Σm ≤ M and w/S(m) ≤ D, by dynamic
// programming over jobs and machines. Optimal. O((g·M)·(g·M²)): see `most_exact_steps`.
[[nodiscard]] std::vector<Count> unequal_machines_exact(const RentProblem& problem,
                                                        const std::vector<std::size_t>& jobs,
                                                        std::size_t later);

// The same from a given choice: a machine goes to a job, leaves one, or goes from one to another, as long as
// it pays. Never worse than `machines`. O(g²) a change.
[[nodiscard]] std::vector<Count> unequal_machines_descent(const RentProblem& problem,
                                                          const std::vector<std::size_t>& jobs,
                                                          std::size_t later, std::vector<Count> machines);

inline constexpr double most_exact_steps = 1e7;  // of one group; beyond, by descent

// The plan of any_order, each group then with the machines found above, in Smith's order. Never worse than
// any_order. It is not the optimum over all unequal groups: the groups stay.
[[nodiscard]] RentPlan unequal_machines(const RentProblem& problem);

}  // namespace wavewright
