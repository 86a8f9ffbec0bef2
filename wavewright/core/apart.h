// Durations beside each other in a sentence or a column, so that a reader sees which differ.
#pragma once

#include <string>
#include <vector>

#include "wavewright/core/time.h"

namespace wavewright {

// Durations that stand beside each other, as the ends of an interval do: as format_duration gives them where
// it tells those that differ apart, else all with as many units as do so: `3d4h10m` and `3d4h12m`. No finer
// than seconds where one has an hour or more, so what is left alike differs by less. O(n²).
[[nodiscard]] std::vector<std::string> format_apart(const std::vector<Duration>& durations);

}  // namespace wavewright
