// The cost of late ends for searches that minimize the makespan. Most moves of a search do not change the
// makespan, so ends near it count too: the 16-norm of the ends' lateness.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace wavewright {

inline constexpr double nearly_late = 0.995;  // of the target: later ends count

// Ends and target in ms, target > 0; the cost is a share of the target. Not below the makespan's lateness
// alone. O(jobs).
[[nodiscard]] inline double cost_of_late_ends(std::span<const std::int64_t> ends, double target) {
  const double from = nearly_late * target;
  double sum = 0;
  for (const std::int64_t end : ends) {
    const double late = std::max(0.0, static_cast<double>(end) - from) / target;
    const double squared = late * late, fourth = squared * squared, eighth = fourth * fourth;
    sum += eighth * eighth;
  }
  return std::sqrt(std::sqrt(std::sqrt(std::sqrt(sum))));
}

}  // namespace wavewright
