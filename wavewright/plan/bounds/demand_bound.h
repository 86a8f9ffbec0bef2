// A lower bound on the makespan by demand: what of each stage must be done before, or is left after, every
// instant, given when each job's maps end.
//
// In a schedule of makespan T let c_j be when job j's last map ends. A job's maps start in their order, so
// map i starts no later than c_j − s_i, where s_i is the longest of map i and those behind it; by t it has
// worked min(m_i, s_i − (c_j − t)) at least. Of a reduce of length r, r − (t − c_j) at least is left at t. So
// for every t
//
//     Σ_j Σ_i min(m_i, (s_i − (c_j − t))⁺) ≤ M·t     and     Σ_j Σ_i min(r_i, (r_i − (t − c_j))⁺) ≤ R·(T −
//     t),
//
// and c_j lies between the least time of the job's maps alone (after its submission) and T less that of its
// reduces. Early ends ask much of the map slots, late ones much of the reduce slots: with a price on the slot
// time of each t, each job chooses its cheapest c_j on its own, and where even then all together ask for more
// than there is, no schedule has makespan T. This is the Lagrangian dual of the time-indexed relaxation
// [Dyer and Wolsey 1990]; each job's c_j falls into an interval, in which what its maps and its reduces ask
// for is replaced by lines that are nowhere above it (demand_profile.h) and exact at the later end for maps,
// at the earlier one for reduces: then the cheapest c_j is at either end. Intervals where it is cheap
// are looked at in parts. The prices are found by exponentiated gradient ascent on the smoothed dual
// [Nesterov 2005], of a few instants first and of more then; any prices give a valid bound.
//
// Holds for the model of lower_bound.h where besides a job's maps start in their order and none is started
// anew: every plan of orders, pools and caps on any slots, not one that may choose among a job's maps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/stop.h"

namespace wavewright {

// A job as the bound sees it; ms.
struct DemandJob {
  std::vector<std::int64_t> maps;     // lengths, in their order
  std::vector<std::int64_t> reduces;  // the least lengths
  std::int64_t submit = 0;
  std::int64_t earliest = 0;  // its last map ends no earlier
  std::int64_t tail = 0;      // the least time from then to the job's end, and to the last one's
};

struct DemandBound {
  std::int64_t makespan = 0;           // ms; no schedule has a smaller one
  std::vector<std::int64_t> map_ends;  // ms; by job, near where they are in a best solution of the relaxation
};

// No smaller than `known`, a bound that holds already; ms. O(tasks) for each of some dozens of makespans
// tried, and up to 7·10⁴ multiplications a job for each of thousands of prices: so many in all, 10⁹ of which
// take half a second. Stopped, it gives what it has shown so far.
[[nodiscard]] DemandBound demand_bound(std::span<const DemandJob> jobs, SlotPool pool, std::int64_t known,
                                       double multiplications, const Stop& stop);

}  // namespace wavewright
