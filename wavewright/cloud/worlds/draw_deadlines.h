// Draws deadlines for the jobs of a workload: submission + U[least, most] · T_min [CLOUD §4.4].
//
// T_min is "the job completion time with single map and single reduce wave": the time of the job alone on a
// slot for each task, or on given slots. It is simulated, or estimated by a bound or their middle [HP §II-B].
// The paper does not say whether the time in which machines boot is in T_min.
#pragma once

#include <cstdint>
#include <optional>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"
#include "wavewright/predict/bounds.h"

namespace wavewright {

struct DeadlineDraw {
  double least = 1;  // factors of T_min, 0 ≤ least ≤ most
  double most = 3;
  SlotPool slots{};  // that T_min is measured on; 0 of a kind = one for each task
  std::optional<TimeModel> estimator = std::nullopt;  // none = simulated
  Duration boot{};                                    // added to T_min
  std::uint64_t seed = 1;
};

// The job alone, from its first map to its last reduce. O(tasks · log slots).
[[nodiscard]] Duration shortest_time(const Job& job, SlotPool slots, std::optional<TimeModel> estimator);

// Replaces the deadlines of all jobs. A job's factor depends on the seed and its id only. A deadline is
// rounded up to ms. Throws UsageError if the factors are not finite or out of order, or slots are negative.
// O(tasks · log slots).
void draw_deadlines(Workload& workload, const DeadlineDraw& draw);

}  // namespace wavewright
