// Formats durations that stand beside each other, so that a reader sees which ones differ.
#pragma once

#include <string>
#include <vector>

#include "wavewright/core/time.h"

namespace wavewright {

// Formats durations that are compared, such as the ends of an interval. Uses format_duration if its texts
// differ wherever the durations do. Otherwise all get enough units to differ: `3d4h10m` and `3d4h12m`. If one
// lasts an hour or more, nothing finer than seconds is shown; shorter differences may stay invisible. O(n²).
[[nodiscard]] std::vector<std::string> format_apart(const std::vector<Duration>& durations);

}  // namespace wavewright
