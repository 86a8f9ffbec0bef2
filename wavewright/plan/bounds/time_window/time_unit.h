// What all times of a batch, and all its weighted sums of times, are multiples of. Some best schedule is
// active: no task can start earlier unless another one starts later. So all its ends are sums of the batch's
// submissions and lengths.
#pragma once

#include <cstdint>
#include <span>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"

namespace wavewright {

// The greatest common divisor of submissions and lengths, ms; 0 if all are 0. O(tasks).
[[nodiscard]] std::int64_t time_unit(const Workload& batch);

// The largest number that all weights are multiples of, within rounding (relative 1e-14). 0 if a weight is
// not above 0, above 10⁹, or has more than six decimals.
[[nodiscard]] double weight_unit(std::span<const double> weights);

// No end of an active schedule is later, ms: from the last submission on, all slots of a stage are busy until
// its last task starts. O(tasks).
[[nodiscard]] double latest_end(const Workload& batch, SlotPool pool);

}  // namespace wavewright
