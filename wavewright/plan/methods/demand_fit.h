// Map ends for which the demand of both stages fits the supply of slots at every instant, in the least
// makespan (bounds/demand_bound.h; its relaxation allows shares of several ends, this search chooses one
// end for each job).
//
// Simulated annealing [Kirkpatrick et al. 1983] over ends on a grid, started from the ends of the bound. A
// move changes one job's end or swaps those of two jobs. It costs one pass over the rows, much less than a
// schedule.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/stop.h"
#include "wavewright/plan/bounds/demand_bound.h"

namespace wavewright {

// The map end of each job, ms. `bound` is for the same jobs and slots, has its ends, and is no smaller than
// the work of either stage divided by its slots. Equal seeds give equal ends; a stopped search gives the best
// so far. `multiplications`: the effort; 10⁹ take a fraction of a second. O(tasks + jobs · rows) besides;
// memory O(jobs · rows).
[[nodiscard]] std::vector<std::int64_t> demand_fit(std::span<const DemandJob> jobs, SlotPool pool,
                                                   const DemandBound& bound, std::uint64_t seed,
                                                   double multiplications, const Stop& stop);

}  // namespace wavewright
