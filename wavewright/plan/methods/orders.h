// Planners that sort: one order, one pool, one simulation.
#pragma once

#include <memory>
#include <vector>

#include "wavewright/plan/planner.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

[[nodiscard]] std::vector<JobIndex> submission_order(const Workload& batch);
[[nodiscard]] std::vector<JobIndex> random_order(const Workload& batch, std::uint64_t seed);
// Shortest first: ascending A_i + B_i = map work / map slots + reduce work / reduce slots.
[[nodiscard]] std::vector<JobIndex> shortest_first_order(const Workload& batch, SlotPool pool);
[[nodiscard]] std::vector<JobIndex> johnson_order(const Workload& batch, SlotPool pool);

// `submission`, `johnson`, `reverse-johnson`, `spt`, `critical-path`, `random`
[[nodiscard]] std::vector<std::unique_ptr<Planner>> make_order_planners();

}  // namespace wavewright
