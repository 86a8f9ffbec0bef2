// Lower bounds by counting: of k·m + 1 tasks on m slots some slot takes k + 1. What fluid bounds miss where
// tasks are few and long.
#pragma once

#include <cstdint>
#include <span>

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

}  // namespace wavewright
