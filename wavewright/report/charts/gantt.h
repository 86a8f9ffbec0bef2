// The Gantt chart of a schedule: which job holds which slots when.
#pragma once

#include <string>

#include "wavewright/report/analysis.h"
#include "wavewright/report/page/panels.h"

namespace wavewright::report {

// Map slots above reduce slots on the report's time axis, with the lower bound, the end, and the time saved
// compared with the first schedule.
[[nodiscard]] std::string gantt_chart(const Analysis& analysis, std::size_t schedule);

[[nodiscard]] std::string gantt_legend(const Analysis& analysis);

}  // namespace wavewright::report
