// Lower bounds by counting: of k·m + 1 tasks on m slots some slot runs k + 1. Better than fluid bounds if
// tasks are few and long.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/job/job.h"

namespace wavewright {

struct CountedTask {
  std::int64_t length = 0;
  // Time outside the slot: for a reduce, the least time of its job's maps; for a map, of its job's reduces.
  std::int64_t beside = 0;
};

// A lower bound on the makespan if each task holds a slot for its length. The k + 1 tasks on one slot take
// their lengths plus the least `beside` among them. Tries up to 64 thresholds on `beside` and k < 16: of the
// longest k·m + 1 tasks above the threshold, the k + 1 with the least total. O(64 · 16 · tasks · log 16).
[[nodiscard]] std::int64_t counting_bound(std::span<const CountedTask> tasks, std::int64_t slots);

// A job's tasks for bounds, ms; reduces without the part that may run before the last map ends. O(tasks).
[[nodiscard]] std::vector<CountedTask> counted_maps(const Job& job);
[[nodiscard]] std::vector<CountedTask> counted_reduces(const Job& job);

// The least time of a stage alone on the slots: the larger of the counting bound and work / slots. slots ≥ 1.
[[nodiscard]] std::int64_t stage_alone(std::span<const CountedTask> tasks, std::int64_t slots);

}  // namespace wavewright
