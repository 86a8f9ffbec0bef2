// Lower bounds on total completion time, Σ(finish − submit), for the model of lower_bound.h.
//
// A job's head is the least time of its maps alone on the pool; its tail is the least time of its reduces.
// - chain: every job alone, head + tail.
// - position bound: the k-th end is no earlier than position k of several lists (completion_vector.h). One
//   list combines the two stages, with map ends by shortest remaining work.
// - maps: the map stage by shortest remaining work, plus each job's tail after its last map.
// - mean-busy-time bound: for a stage of m slots. Let P be a job's work there and B the mean instant of that
//   work. If slot k gives the job L_k, it adds at least L_k²/2P to the mean distance to the job's end, so end
//   ≥ B + ΣL_k²/2P. By convexity, ΣL_k² is least if every task longer than the average of the rest has its
//   own slot and the others share equally. ΣwB, with at most m units of work at an instant, is least if the
//   ready job with the largest w/P always goes first [Goemans 1996]. Hence Σw·end ≥ Σw(B + ΣL_k²/2P). The map
//   stage adds each job's tail; in the reduce stage a job is ready after its head. For single tasks without
//   releases this is the bound of Eastman, Even and Isaacs [1964].
#pragma once

#include <algorithm>
#include <span>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"

namespace wavewright {

struct CompletionBounds {
  Duration chain{};
  Duration position{};
  Duration maps{};
  Duration mean_busy_time{};

  [[nodiscard]] Duration best() const { return std::max({chain, position, maps, mean_busy_time}); }
};

// O(tasks · log tasks + n log n + n · min(n, 256)). Ignores `after`; the bounds stay valid.
[[nodiscard]] CompletionBounds completion_bounds(const Workload& workload, SlotPool pool);

// The bound on Σ weight · (finish − submit), one weight ≥ 0 for each job: the larger of chain and
// mean-busy-time bound. (The other bounds do not know which job ends at which position.) In ms times the unit
// of the weights. Uses `after` (precedence_times.h).
[[nodiscard]] double weighted_completion_bound(const Workload& workload, SlotPool pool,
                                               std::span<const double> weights);

// The least Σ weight · (mean busy instant) on one machine of speed 1. Public for tests. O(n log n).
struct BusyPart {
  double ready = 0;
  double work = 0;
  double weight = 1;
};
[[nodiscard]] double least_mean_busy_time(std::span<const BusyPart> parts);

// A lower bound on ΣL_k² for the lengths on `slots` slots. O(n log n).
[[nodiscard]] double least_squares(std::vector<double> lengths, std::int64_t slots);

}  // namespace wavewright
