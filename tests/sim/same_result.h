// Two engines' results for the same world.
#pragma once

#include <rapidcheck.h>

#include "wavewright/sim/result.h"

namespace wavewright {

inline void expect_equal(const SimulationResult& fast, const SimulationResult& reference) {
  RC_ASSERT(fast.trace == reference.trace);
  RC_ASSERT(fast.jobs == reference.jobs);
  RC_ASSERT(fast.rejections == reference.rejections);
  RC_ASSERT(fast.remarks == reference.remarks);
  RC_ASSERT(fast.leases == reference.leases);
  RC_ASSERT(fast.makespan == reference.makespan);
  RC_ASSERT(fast.total_completion == reference.total_completion);
  RC_ASSERT(fast.events == reference.events);
  RC_ASSERT(fast.starts == reference.starts);
  RC_ASSERT(fast.transfers == reference.transfers);
  RC_ASSERT(fast.heartbeats == reference.heartbeats);
  RC_ASSERT(fast.map_busy == reference.map_busy);
  RC_ASSERT(fast.reduce_busy == reference.reduce_busy);
  RC_ASSERT(fast.memory_busy == reference.memory_busy);
}

}  // namespace wavewright
