// Simulates one job alone on a pool of slots, task by task; the percentiles do this hundreds of times.
//
// With the first four fields it is the model of sim/simulate.h with slow-start 1.0, which needs no events for
// a job alone: maps, then reduces, in the given order, each on the slot that becomes free first. A reduce
// that starts no later than the last map's end pays the first shuffle after that end. A later one pays the
// later shuffle after its own start.
//
// The other fields model a real cluster: waits before tasks (profile/waits.h), reduces beside running maps.
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
  // Wait before each task, after its slot became free; empty = 0.
  std::span<const Duration> map_waits = {};
  std::span<const Duration> reduce_waits = {};
  // Maps that must be done before the first reduce; absent = all.
  std::optional<Count> maps_before_reduces = std::nullopt;
  // A reduce of the first wave ends its shuffle at max(start + later shuffle, last map's end + first
  // shuffle): it needs its own start-up, too.
  bool shuffle_has_length = false;
  // Instants from which slots are free; of earlier tasks only the sum is known (predict/percentiles.h).
  Duration maps_from{};
  Duration reduces_from{};                               // relative to the instant at which reduces are ready
  std::optional<Duration> reduces_ready = std::nullopt;  // instead of `maps_before_reduces`
};

struct SingleJobTimes {
  Duration maps_done{};
  Duration finish{};
};

// A kind with tasks needs at least one slot. O(tasks · log slots).
[[nodiscard]] SingleJobTimes run_alone(const SingleJob& job, SlotPool slots);

}  // namespace wavewright
