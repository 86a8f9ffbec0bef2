// Cost against tardiness: a dot for each way to rent machines, and the line of those that none dominates.
#pragma once

#include <string>

#include "wavewright/report/rental_report.h"

namespace wavewright::report {

// A figure with legend and axes. The policies with most options have colours of their own.
[[nodiscard]] std::string frontier_figure(const RentalReport& data);

}  // namespace wavewright::report
