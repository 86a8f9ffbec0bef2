// Demand bound: a lower bound on the makespan. Given the ends of all jobs' maps, each stage has a demand of
// work that must be done before, or is left after, every instant; it may not exceed the supply of slot
// time.
//
// In a schedule of makespan T let c_j be the end of job j's last map. A job's maps start in their order, so
// map i starts no later than c_j − s_i, where s_i is the longest of map i and the maps behind it. By t it
// has worked at least min(m_i, s_i − (c_j − t)). Of a reduce of length r at least r − (t − c_j) is left at
// t. Hence for every t
//
//     Σ_j Σ_i min(m_i, (s_i − (c_j − t))⁺) ≤ M·t   and
//     Σ_j Σ_i min(r_i, (r_i − (t − c_j))⁺) ≤ R·(T − t),
//
// and c_j lies between the least time of the job's maps alone (after its submission) and T minus that of
// its reduces. Early ends demand map slots, late ones reduce slots. Put a price on the slot time at each t;
// each job then chooses its cheapest c_j on its own. If even then the demand exceeds the supply, no
// schedule has makespan T. This is the Lagrangian dual of the time-indexed relaxation [Dyer and Wolsey
// 1990].
//
// Each c_j falls into an interval. There the demand is replaced by lines that are nowhere above it
// (demand_profile.h), exact at the later end for maps and at the earlier end for reduces, so that the
// cheapest c_j is at either end. Cheap intervals are split into parts. Prices are found by exponentiated
// gradient ascent on the smoothed dual [Nesterov 2005], first for a few instants, then for more. Any prices
// give a valid bound.
//
// The bound holds for the model of lower_bound.h if, in addition, a job's maps start in their order and
// none is restarted: every plan of orders, pools and caps on any slots, but no plan that may choose among a
// job's maps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/stop.h"

namespace wavewright {

// A job; times in ms.
struct DemandJob {
  std::vector<std::int64_t> maps;     // lengths, in their order
  std::vector<std::int64_t> reduces;  // the least lengths
  std::int64_t submit = 0;
  std::int64_t earliest = 0;  // earliest end of its last map
  std::int64_t tail = 0;      // least time from then to the makespan
};

struct DemandBound {
  std::int64_t makespan = 0;           // ms; the bound
  std::vector<std::int64_t> map_ends;  // ms; by job, near those of a best solution of the relaxation
};

// The result is no smaller than `known`, a valid bound; ms. O(tasks) for each of some dozens of makespans,
// and up to 7·10⁴ multiplications a job for each of thousands of prices. `multiplications` limits their
// number; 10⁹ take half a second. A stopped computation gives the bound proved so far.
[[nodiscard]] DemandBound demand_bound(std::span<const DemandJob> jobs, SlotPool pool, std::int64_t known,
                                       double multiplications, const Stop& stop);

}  // namespace wavewright
