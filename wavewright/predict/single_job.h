// One job alone on a pool of slots, task by task: what the percentiles repeat hundreds of times.
//
// With the first four fields alone it is the model of sim/simulate.h with slow-start 1.0, where one job alone
// needs no events: maps, then reduces, in the order given, each on the slot that becomes free first. A reduce
// that starts no later than the last map's end pays the first shuffle after that end, a later one the later
// shuffle after its own start.
//
// The others make it the model of a real cluster: slots wait for their tasks (wavewright/profile/waits.h),
// and reduces start while maps are still at work.
#pragma once

#include <optional>
#include <span>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/time.h"

namespace wavewright {

struct SingleJob {
  // As many first and later shuffles as reduces.
  std::span<const Duration> maps;
  std::span<const Duration> reduces;
  std::span<const Duration> first_shuffles;
  std::span<const Duration> later_shuffles;
  // Before each task, after its slot became free; empty = 0.
  std::span<const Duration> map_waits = {};
  std::span<const Duration> reduce_waits = {};
  // Maps that must be done before the first reduce; absent = all of them.
  std::optional<Count> maps_before_reduces = std::nullopt;
  // A reduce of the first wave ends its shuffle max(start + later shuffle, last map's end + first shuffle):
  // it needs its own start-up, too.
  bool shuffle_has_length = false;
  // Slots are free from then on, for what went before is known in sum only (predict/percentiles.h).
  Duration maps_from{};
  Duration reduces_from{};                               // after their being ready
  std::optional<Duration> reduces_ready = std::nullopt;  // in place of `maps_before_reduces`
};

struct SingleJobTimes {
  Duration maps_done{};
  Duration finish{};
};

// Slots of a kind from 1 where there are tasks of it. O(tasks · log slots).
[[nodiscard]] SingleJobTimes run_alone(const SingleJob& job, SlotPool slots);

}  // namespace wavewright
