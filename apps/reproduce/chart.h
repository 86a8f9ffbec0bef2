// What an entry draws of its measurements (`charts` of reproduce/ID.json):
//
//     {"title": …, "across": "jobs", "up": "improvement, %",
//      "lines": [{"name": "TP-FTI", "points": {"50": "KEY", "100": "KEY"}}]}
#pragma once

#include "apps/reproduce/experiment.h"
#include "wavewright/report/line_chart.h"

namespace wavewright::app {

// Ours with its interval; beside it the paper's, where a row of the entry has one. Throws InputError on a key
// that was not measured, or that is no number.
[[nodiscard]] std::vector<LineChart> charts_of(const Entry& entry, const Measurements& measured);

}  // namespace wavewright::app
