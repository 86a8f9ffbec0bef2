// How many machines a simulated run rents at once, and for how long it rents any: what it takes to rent them
// all together.
#pragma once

#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"
#include "wavewright/job/job.h"
#include "wavewright/sim/result.h"

namespace wavewright {

struct RentedAtOnce {
  Count most = 0;   // machines at once, each from its request until it leaves
  Duration span{};  // from the first submission until the last machine leaves; 0 without a machine
};

// A machine that leaves when another is requested is not there with it. O(leases · log leases).
[[nodiscard]] RentedAtOnce rented_at_once(const Workload& workload, const SimulationResult& result);

}  // namespace wavewright
