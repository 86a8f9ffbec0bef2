// Demand bound: a lower bound on the makespan. Given the ends of all jobs' maps, each stage has a demand:
// work that must be done before, or is left after, each instant. It may not exceed the supply of slot time.
//
// In a schedule of makespan T let c_j be the end of job j's last map. A job's maps start in their order, so
// map i starts no later than c_j − s_i, where s_i is the longest of map i and the maps after it. By t it
// has worked at least min(m_i, s_i − (c_j − t)). A reduce of length r has at least r − (t − c_j) left at t.
// Hence for every t
//
//     Σ_j Σ_i min(m_i, (s_i − (c_j − t))⁺) ≤ M·t   and
//     Σ_j Σ_i min(r_i, (r_i − (t − c_j))⁺) ≤ R·(T − t),
//
// and c_j lies between the earliest end of the job's maps alone (after its submission) and T minus the least
// time of its reduces. Early ends demand map slots, late ends demand reduce slots. The Lagrangian dual of
// this time-indexed relaxation [Dyer and Wolsey 1990] puts a price on slot time at each t. Each job then
// chooses its cheapest c_j independently. If the demand still exceeds the supply, no schedule has makespan T.
//
// The range of c_j is divided into intervals. In an interval the demand is replaced by lines that are nowhere
// above it (demand_profile.h), exact at the later end for maps and at the earlier end for reduces, so the
// cheapest c_j is at one of the two ends. Cheap intervals are split into parts. Prices are found by
// exponentiated gradient ascent on the smoothed dual [Nesterov 2005], first for a few instants, then for
// more. Any prices give a valid bound.
//
// The bound holds for the model of lower_bound.h if a job's maps also start in their order and none is
// restarted: for every plan of orders, pools and caps on any slots, but not if a plan may choose among a
// job's maps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/stop.h"

namespace wavewright {

// Times in ms.
struct DemandJob {
  std::vector<std::int64_t> maps;     // lengths, in their order
  std::vector<std::int64_t> reduces;  // least lengths
  std::int64_t submit = 0;
  std::int64_t earliest = 0;  // earliest end of its last map
  std::int64_t tail = 0;      // least time from its last map end to the makespan
};

struct DemandBound {
  std::int64_t makespan = 0;           // ms; the bound
  std::vector<std::int64_t> map_ends;  // ms; by job, near an optimal solution of the relaxation
};

// `known` is a valid bound in ms; the result is no smaller. O(tasks) for each of some dozens of makespans,
// and up to 7·10⁴ multiplications a job for each of thousands of price vectors. `multiplications` limits the
// effort; 10⁹ take half a second. A stopped computation returns the bound proved so far.
[[nodiscard]] DemandBound demand_bound(std::span<const DemandJob> jobs, SlotPool pool, std::int64_t known,
                                       double multiplications, const Stop& stop);

}  // namespace wavewright
