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

// `sorted`: one value or more, ascending. The bins are as wide as the rule of Freedman and Diaconis says (2 ·
// interquartile range / ∛n), or wider if that makes more than `most_bins`. `edge` is a border between two
// bins, or lies outside all of them, so that values up to it can be told from larger ones. O(n).
[[nodiscard]] Histogram histogram_of(const std::vector<Duration>& sorted, std::optional<Duration> edge);

}  // namespace wavewright
