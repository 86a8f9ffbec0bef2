// Simulated annealing [Kirkpatrick et al. 1983] over two orders of a batch. With many small jobs the position
// of a job decides, and an order is evaluated several times as fast as a priority rule
// (methods/annealing.h): only the part of the schedule is computed that a move may change.
//
// A move takes a job to another position, or swaps two jobs: in the order of maps, of reduces, or both. Most
// moves go anywhere, the others mostly a few positions. For the makespan, a quarter of the moves take a job
// that ends late; of workflows half of them, and also the jobs that such a job waited for. It cools
// geometrically, as slowly as evaluations or time allow.
#pragma once

#include <cstdint>
#include <span>

#include "wavewright/plan/methods/annealing.h"
#include "wavewright/plan/methods/late_acceptance.h"
#include "wavewright/plan/schedule/moved_orders.h"

namespace wavewright {

inline constexpr std::size_t order_chains = 2;  // usual number, the same on any machine

// Starts from the best of `starts` (one or more). The chains run in parallel and share the evaluations; now
// and then all go on from the orders of the best one. `limits.target` must be positive for the makespan.
// Equal seeds give equal results. The cost found is the value in ms. O(evaluations · schedule).
[[nodiscard]] OrderSearchResult anneal_orders(std::span<const TwoOrders> starts,
                                              const PlanningProblem& problem, std::uint64_t seed,
                                              const SearchLimits& limits, std::size_t chains,
                                              const Stop& stop);

}  // namespace wavewright
