// What `wavewright report` shows of plans besides their schedules.
#pragma once

#include <string>

#include "wavewright/plan/analysis/bottlenecks.h"
#include "wavewright/report/report.h"

namespace wavewright {

// The curve that `wavewright plan --curve --out FILE` wrote for the batch. InputError on what is none, or of
// another batch.
[[nodiscard]] ReportCurve read_curve(const std::string& path, const Workload& batch);

[[nodiscard]] ReportLimits report_limits(const Bottlenecks& limits, const Workload& batch);

}  // namespace wavewright
