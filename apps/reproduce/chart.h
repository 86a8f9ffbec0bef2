// Charts of an entry's measurements (`charts` of reproduce/ID.json):
//
//     {"title": …, "across": "jobs", "up": "improvement, %",
//      "lines": [{"name": "TP-FTI", "points": {"50": "KEY", "100": "KEY"}}]}
#pragma once

#include "apps/reproduce/experiment.h"
#include "wavewright/report/line_chart.h"

namespace wavewright::app {

// Our values with intervals; beside them the paper's, if a row of the entry has one that is printed there.
// Throws InputError for a key that was not measured or is no number.
[[nodiscard]] std::vector<LineChart> charts_of(const Entry& entry, const Measurements& measured);

}  // namespace wavewright::app
