// Finds map ends for which the demand of both stages fits the supply of slots at every instant, in the least
// makespan. Unlike the relaxation of bounds/demand_bound.h, it chooses one end for each job, not shares.
//
// Simulated annealing [Kirkpatrick et al. 1983] over ends on a grid, started from the ends of the bound. A
// move changes the end of one job or swaps two. It costs one pass over the rows, much less than a schedule.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/stop.h"
#include "wavewright/plan/bounds/demand_bound.h"

namespace wavewright {

// Returns the map end of each job, ms. `bound`: for the same jobs and slots, with map ends, and no smaller
// than the work of either stage divided by its slots. Equal seeds give equal ends. A stopped search returns
// the best so far. `multiplications` limits the effort; 10⁹ take a fraction of a second, plus O(tasks + jobs
// · rows). Memory: O(jobs · rows).
[[nodiscard]] std::vector<std::int64_t> demand_fit(std::span<const DemandJob> jobs, SlotPool pool,
                                                   const DemandBound& bound, std::uint64_t seed,
                                                   double multiplications, const Stop& stop);

}  // namespace wavewright
