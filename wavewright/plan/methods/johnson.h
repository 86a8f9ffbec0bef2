// Johnson's rule: the order of two-stage jobs that minimises makespan when each stage serves one job at a
// time [HP Alg. 1, CLOUD Alg. 3].
#pragma once

#include <span>
#include <vector>

#include "wavewright/plan/methods/stage_times.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

// Jobs whose map stage is not longer than their reduce stage first, shortest map stage first; then the
// others, longest reduce stage first. Equal ones keep their order. Positions in `jobs`. O(n log n).
[[nodiscard]] std::vector<JobIndex> johnson_order(std::span<const StageTimes> jobs);

// Makespan of that order (or any other) in the abstraction itself: one job at a time on either stage.
[[nodiscard]] Duration two_stage_makespan(std::span<const StageTimes> jobs, std::span<const JobIndex> order);

}  // namespace wavewright
