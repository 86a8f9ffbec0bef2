// Formats means of durations with their intervals.
#pragma once

#include <string>

#include "wavewright/sim/experiment/sweep.h"

namespace wavewright::app {

// In ms. `3d4h10m ± 12m5s`: the mean has enough units to differ from the ends. Without interval, or
// if it rounds to 0, the mean alone.
[[nodiscard]] std::string interval_text(const MeanInterval& interval);

// In percent, with sign: `-12.3 ± 0.4 %`. Without interval, or if it rounds to 0, the mean alone.
[[nodiscard]] std::string percent_change_text(const MeanInterval& interval);

}  // namespace wavewright::app
