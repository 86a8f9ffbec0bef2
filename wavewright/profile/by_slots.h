// A profile by input size and slots, as in [CLOUD tables 3.1 and 3.2]; avg is the mean, not the midpoint.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/profile/run_phases.h"

namespace wavewright {

struct MinAvgMax {
  Count tasks = 0;
  double min_ms = 0;
  double avg_ms = 0;
  double max_ms = 0;
};

struct SlotsRow {
  int size = 0;  // profile/groups.h
  std::optional<Bytes> least_input, most_input;
  Count least_maps = 0, most_maps = 0;
  SlotPool slots;  // peak that the runs had
  Count runs = 0;
  MinAvgMax map, shuffle, reduce;  // shuffle: both waves
};

// Successful runs by size class and slots, in that order. O(durations + runs log rows).
[[nodiscard]] std::vector<SlotsRow> by_slots(std::span<const RunPhases> runs);

}  // namespace wavewright
