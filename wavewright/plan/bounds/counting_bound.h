// Lower bounds by counting: of k·m + 1 tasks on m slots some slot runs k + 1. Fluid bounds miss this where
// tasks are few and long.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/job/job.h"

namespace wavewright {

struct CountedTask {
  std::int64_t length = 0;
  // Time outside the slot: for a reduce the least time of its job's maps, before it; for a map the least time
  // of its job's reduces, after it.
  std::int64_t beside = 0;
};

// The bound: no schedule in which each task holds one of the slots for its length ends sooner. The k + 1
// tasks on one slot take their lengths plus the least `beside` among them. Tried for up to 64 thresholds on
// `beside` and for each k up to 16: of the longest k·m + 1 tasks above the threshold the k + 1 with the least
// total count. O(64 · 16 · tasks · log 16).
[[nodiscard]] std::int64_t counting_bound(std::span<const CountedTask> tasks, std::int64_t slots);

// A job's stages for bounds, ms: reduces without the part that may be done before its last map ends.
// O(tasks).
[[nodiscard]] std::vector<CountedTask> counted_maps(const Job& job);
[[nodiscard]] std::vector<CountedTask> counted_reduces(const Job& job);

// The least time of a stage alone on one slot or more: by counting, and its work shared by all slots.
[[nodiscard]] std::int64_t stage_alone(std::span<const CountedTask> tasks, std::int64_t slots);

}  // namespace wavewright
