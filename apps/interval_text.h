// Means of durations with their intervals, for people.
#pragma once

#include <string>

#include "wavewright/sim/experiment/sweep.h"

namespace wavewright::app {

// Of ms: `3d4h10m ± 12m5s`, the mean with as many units as tell it from the ends; the mean alone where the
// interval is not known or of no length.
[[nodiscard]] std::string interval_text(const MeanInterval& interval);

}  // namespace wavewright::app
