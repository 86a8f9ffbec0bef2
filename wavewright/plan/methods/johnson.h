// Johnson's rule: the order with the least makespan if each stage serves one job at a time [HP Alg. 1, CLOUD
// Alg. 3].
#pragma once

#include <span>
#include <vector>

#include "wavewright/plan/methods/stage_times.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

// Jobs whose map stage is not longer than their reduce stage come first, shortest map stage first. The others
// follow, longest reduce stage first. Equal jobs keep their order. Returns positions in `jobs`. O(n log n).
[[nodiscard]] std::vector<JobIndex> johnson_order(std::span<const StageTimes> jobs);

// The makespan of an order in this model: one job at a time on each stage.
[[nodiscard]] Duration two_stage_makespan(std::span<const StageTimes> jobs, std::span<const JobIndex> order);

}  // namespace wavewright
