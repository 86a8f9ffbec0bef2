// A schedule as a picture: who holds which slots when.
#pragma once

#include <string>

#include "wavewright/report/analysis.h"
#include "wavewright/report/panels.h"

namespace wavewright::report {

// The chart of one schedule: map slots above reduce slots on the time axis of the report, the lower bound
// and the end drawn in, what it gains over the first schedule written into the room that it leaves.
[[nodiscard]] std::string gantt_chart(const Analysis& analysis, std::size_t schedule);

// What the colours mean.
[[nodiscard]] std::string gantt_legend(const Analysis& analysis);

}  // namespace wavewright::report
