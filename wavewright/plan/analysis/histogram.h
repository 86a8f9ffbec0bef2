// How often durations fell into equal parts of their range.
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
  std::vector<Count> counts;  // [i]: of those above `above` + i·step, up to `above` + (i + 1)·step with it
};

// Of one value or more, ascending. As wide as the rule of Freedman and Diaconis says (2 · interquartile range
// / ∛n), wider where that makes more than `most_bins`. `edge` lies between two bins, or beyond them, so that
// the values up to it are told from those above it. O(n).
[[nodiscard]] Histogram histogram_of(const std::vector<Duration>& sorted, std::optional<Duration> edge);

}  // namespace wavewright
