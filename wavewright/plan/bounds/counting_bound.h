// Lower bounds by counting: of k·m + 1 tasks on m slots some slot takes k + 1. What fluid bounds miss where
// tasks are few and long.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/job/job.h"

namespace wavewright {

struct CountedTask {
  std::int64_t length = 0;
  // What must pass besides: before it, of a reduce the least time of its job's maps; after it, of a map that
  // of its job's reduces.
  std::int64_t beside = 0;
};

// No schedule in which each task holds one of the slots for its length ends sooner: k + 1 tasks on one slot
// take their lengths, and what stands beside the one of them with the least. For each of up to 64 thresholds
// on `beside` and each k to 16 the longest k·m + 1 of the tasks above the threshold, of which the best k + 1
// are counted. O(64 · 16 · tasks · log 16).
[[nodiscard]] std::int64_t counting_bound(std::span<const CountedTask> tasks, std::int64_t slots);

// A job's stages as bounds see them, ms: reduces without what may be done before its last map ends. O(tasks).
[[nodiscard]] std::vector<CountedTask> counted_maps(const Job& job);
[[nodiscard]] std::vector<CountedTask> counted_reduces(const Job& job);

// The least time of a stage alone on one slot or more: by counting, and its work shared by all slots.
[[nodiscard]] std::int64_t stage_alone(std::span<const CountedTask> tasks, std::int64_t slots);

}  // namespace wavewright
