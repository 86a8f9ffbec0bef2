// Results about plans for the report, besides their schedules.
#pragma once

#include <string>

#include "wavewright/plan/analysis/bottlenecks.h"
#include "wavewright/report/report.h"

namespace wavewright {

// Reads the curve that `wavewright plan --curve --out FILE` wrote for the batch. Throws InputError if the
// file has none or belongs to another batch.
[[nodiscard]] ReportCurve read_curve(const std::string& path, const Workload& batch);

[[nodiscard]] ReportLimits report_limits(const Bottlenecks& limits, const Workload& batch);

}  // namespace wavewright
