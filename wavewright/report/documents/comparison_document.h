// The comparison document: two plans of one batch, job by job
// (docs/formats/schemas/plan-comparison.schema.json).
#pragma once

#include <array>
#include <string>

#include "wavewright/plan/analysis/compare.h"
#include "wavewright/report/documents/json.h"

namespace wavewright {

// `names`: of the two plans, such as their files.
[[nodiscard]] Json comparison_document(const PlanComparison& found, const Workload& batch,
                                       const std::array<std::string, 2>& names);

}  // namespace wavewright
