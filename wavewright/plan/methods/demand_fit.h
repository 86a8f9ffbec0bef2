// When each job's maps should end: ends for which what both stages must have done by, or have left at, every
// instant fits the soonest (bounds/demand_bound.h, whose relaxation is the same with shares of several ends).
//
// Simulated annealing [Kirkpatrick et al. 1983] over ends on a grid, from those of the bound on. A change
// moves one job's end or swaps two jobs', and costs a pass over the rows, much less than a schedule.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/stop.h"
#include "wavewright/plan/bounds/demand_bound.h"

namespace wavewright {

// By job, ms, near any that fit the soonest; of the same jobs and slots as `bound`, which has its ends and is
// no smaller than either stage's work on its slots. Equal seeds give equal ends; stopped, the best so far.
// O(tasks + jobs · rows) and so many multiplications, 10⁹ of which take a fraction of a second; memory O(jobs
// · rows).
[[nodiscard]] std::vector<std::int64_t> demand_fit(std::span<const DemandJob> jobs, SlotPool pool,
                                                   const DemandBound& bound, std::uint64_t seed,
                                                   double multiplications, const Stop& stop);

}  // namespace wavewright
