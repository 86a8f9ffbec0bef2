// Charts of an entry's measurements (`charts` of reproduce/ID.json), of three kinds:
//
//     {"title": …, "across": "jobs", "up": "improvement, %",
//      "lines": [{"name": "TP-FTI", "points": {"50": "KEY", "100": "KEY"}}]}
//     {"title": …, "along": "cost, USD", "bars": {"W1": {"spot": "KEY"}}}
//     {"title": …, "along": "change of the cost, USD", "effects_on": "KEY"}
//
// The last is a tornado chart: a bar for each assumption, as long as the other choice changes that row, the
// longest first.
#pragma once

#include <string>
#include <vector>

#include "apps/reproduce/assumptions.h"
#include "apps/reproduce/experiment.h"

namespace wavewright::app {

// As SVG. Our values with intervals; beside them the paper's, if a row of the entry has one that is printed
// there. A tornado chart is left out if no assumption was run that changes its row. Throws InputError for a
// key that was not measured or is no number.
[[nodiscard]] std::vector<std::string> charts_of(const Entry& entry, const Measurements& measured,
                                                 const std::vector<Effects>& effects);

}  // namespace wavewright::app
