// Histogram of durations with bins of equal width.
#pragma once

#include <optional>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"

namespace wavewright {

inline constexpr std::size_t most_bins = 60;

struct Histogram {
  Duration above{};
  Duration step{};            // above 0
  std::vector<Count> counts;  // [i]: values in (above + i·step, above + (i + 1)·step]
};

// `sorted`: one value or more, ascending. Bin width: the rule of Freedman and Diaconis (2 · interquartile
// range / ∛n), or more if that gives more than `most_bins`. `edge` is a border of bins or outside all of
// them, so that no bin has values on both sides of it. O(n).
[[nodiscard]] Histogram histogram_of(const std::vector<Duration>& sorted, std::optional<Duration> edge);

}  // namespace wavewright
