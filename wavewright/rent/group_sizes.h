// Group utility: jobs in ascending order of work, cut into groups that run one after the other [RENT §III-C].
//
// A group of g jobs has g ≤ M. Its jobs start together and have the same number of machines m. The next group
// starts when the slowest job has ended. Our readings:
//   - Alg. 4 overwrites its g: there are ⌈N/g⌉ groups of g, and the rest are the last one.
//   - Alg. 6 loops while Σg < N.
//   - m is `forced`: ⌊M/g⌋ of the group's own g, less where more machines would slow the jobs down. So the
//   last,
//     smaller group has more machines. Or m is `free`: any number up to ⌊M/g⌋, the best for this group and
//     those that wait for it. The paper forces it, and then loses to PriceFirst with few jobs.
//   - Equal costs: the smaller group, then the fewer machines.
#pragma once

#include <cstdint>

#include "wavewright/rent/problem.h"

namespace wavewright {

enum class GroupMachines : std::uint8_t { forced, free };

// Groups of `size` and the rest. `size` is from 1 to min(N, M). O(N), free O(N + N/size · M/size).
[[nodiscard]] RentPlan groups_of_size(const RentProblem& problem, std::size_t size,
                                      GroupMachines machines = GroupMachines::forced);

// The best g for all groups [RENT Alg. 4]. O(N log min(N, M)), free O(N · M).
[[nodiscard]] RentPlan single_size(const RentProblem& problem,
                                   GroupMachines machines = GroupMachines::forced);

// Group after group: the g that would be best if all groups that follow had it, too [RENT Alg. 6].
// O(N² log min(N, M)), free O(N² · M).
[[nodiscard]] RentPlan greedy_sizes(const RentProblem& problem,
                                    GroupMachines machines = GroupMachines::forced);

// The best over all sequences of sizes [RENT Alg. 5], without listing them: by dynamic programming over the
// jobs that are left. With `free` machines it is the optimum over all groups in ascending order with equal
// machines. O(N · min(N, M)), free O(N · M log min(N, M)). Throws UsageError above `most_steps`.
[[nodiscard]] RentPlan all_sizes(const RentProblem& problem, GroupMachines machines = GroupMachines::forced);

inline constexpr double most_steps = 2e10;

}  // namespace wavewright
