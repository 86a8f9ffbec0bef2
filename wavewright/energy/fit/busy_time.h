// How long how many tasks ran on a node.
#pragma once

#include <utility>
#include <vector>

#include "wavewright/core/time.h"

namespace wavewright {

class BusyTime {
 public:
  // [start, end) of each task; those without length count nothing. O(n log n).
  explicit BusyTime(const std::vector<std::pair<Time, Time>>& tasks);

  // Task-milliseconds in [from, to): the integral of the number of running tasks. O(log n).
  [[nodiscard]] std::int64_t within(Time from, Time to) const { return before(to) - before(from); }
  // Milliseconds in [from, to) with exactly n running tasks, by n; as long as the largest n there needs.
  // O(log n + changes in between).
  [[nodiscard]] std::vector<std::int64_t> levels_within(Time from, Time to) const;

 private:
  struct Change {
    Time at{};
    std::int64_t running = 0;  // from then on
    std::int64_t sum = 0;      // task-milliseconds until then
  };
  [[nodiscard]] std::int64_t before(Time at) const;

  std::vector<Change> changes_;
};

}  // namespace wavewright
