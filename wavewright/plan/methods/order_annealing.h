// Simulated annealing [Kirkpatrick et al. 1983] over two orders of a batch, for total completion time. With
// many small jobs the position of a job decides, and an order is evaluated faster than a priority rule
// (methods/annealing.h): the maps are scheduled only from the first position that differs.
//
// A move takes a job to another position, or swaps two jobs: in the order of maps, of reduces, or both. Half
// of the moves go at most ten positions. It cools geometrically, as slowly as evaluations or time allow.
#pragma once

#include <cstdint>
#include <span>

#include "wavewright/plan/methods/annealing.h"
#include "wavewright/plan/methods/late_acceptance.h"
#include "wavewright/plan/schedule/any_schedule.h"

namespace wavewright {

// Starts from the best of `starts` (one or more). Equal seeds give equal results. O(evaluations · schedule).
[[nodiscard]] LateAcceptanceResult anneal_orders(std::span<const TwoOrders> starts, AnySchedule& schedule,
                                                 std::uint64_t seed, const SearchLimits& limits,
                                                 const Stop& stop);

}  // namespace wavewright
