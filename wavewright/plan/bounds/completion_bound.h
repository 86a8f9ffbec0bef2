// Lower bounds on total completion time, Σ(finish − submit), for the model of lower_bound.h: every order,
// pools, caps, interruption between tasks, releases, shuffles and slow-start on slots of two kinds; not
// clusters whose containers serve both kinds. No schedule of it has a smaller sum.
//
// A job's head is the least time of its maps alone on the pool and its tail that of its reduces.
//
//  chain    Everyone alone: head + tail.
//  places   The k-th end is no earlier than place k of several lists (completion_vector.h), of which one ties
//           the two stages together; map ends by shortest remaining work.
//  maps     The map stage by shortest remaining work, and everyone's tail after its last map.
//  busy     A stage of m slots, by mean busy times. Let P be a job's work there and B the mean instant of
//           that work. Slots that give the job L_1, L_2, … have L_k²/2P of the mean distance to its end or
//           more, so that its end ≥ B + ΣL_k²/2P, and by convexity ΣL_k² is least where every task longer
//           than the rest's average has a slot to itself and the others share alike. ΣwB is least, at no more
//           than m units of work an instant, when the ready job of the largest w/P always goes first [Goemans
//           1996], which is interrupted by no task's end. So Σw·end ≥ Σw(B + ΣL_k²/2P); for the map stage
//           everyone's tail comes besides, for the reduce stage a job is ready after its head. For single
//           tasks without releases this is the bound of Eastman, Even and Isaacs [1964].
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

// O(tasks · log tasks + n log n + n · min(n, 256)). Does not look at `after`, without which it holds too; the
// weighted one does (bounds/precedence_times.h).
[[nodiscard]] CompletionBounds completion_bounds(const Workload& workload, SlotPool pool);

// Of Σ weight · (finish − submit), as many weights as jobs, none negative: the largest of chain and busy, as
// the others do not know which job ends at which place. In ms times the unit of the weights.
[[nodiscard]] double weighted_completion_bound(const Workload& workload, SlotPool pool,
                                               std::span<const double> weights);

// Least Σ of w · (mean busy instant) of work that is ready at its own time, on a machine that does one unit
// of it at a time; for tests. O(n log n).
struct BusyPart {
  double ready = 0;
  double work = 0;
  double weight = 1;
};
[[nodiscard]] double least_mean_busy_time(std::span<const BusyPart> parts);

// ΣL_k² of the lengths on so many slots, at least. O(n log n).
[[nodiscard]] double least_squares(std::vector<double> lengths, std::int64_t slots);

}  // namespace wavewright
