// One job alone on a pool of slots, task by task: what the percentiles repeat hundreds of times.
//
// The same model as sim/simulate.h with slow-start 1.0, where one job alone needs no events: maps, then
// reduces, in the order given, each on the slot that becomes free first. A reduce that starts no later than
// the last map's end pays the first shuffle, a later one the later shuffle.
#pragma once

#include <span>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/time.h"

namespace wavewright {

// As many first and later shuffles as reduces.
struct SingleJob {
  std::span<const Duration> maps;
  std::span<const Duration> reduces;
  std::span<const Duration> first_shuffles;
  std::span<const Duration> later_shuffles;
};

struct SingleJobTimes {
  Duration maps_done{};
  Duration finish{};
};

// Slots of a kind from 1 where there are tasks of it. O(tasks · log slots).
[[nodiscard]] SingleJobTimes run_alone(const SingleJob& job, SlotPool slots);

}  // namespace wavewright
