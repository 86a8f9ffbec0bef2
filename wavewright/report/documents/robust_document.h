// The `robust` member of a plan document: the robust and the nominal plan on fresh draws.
#pragma once

#include "wavewright/plan/robust/robust_plan.h"
#include "wavewright/report/documents/json.h"

namespace wavewright {

[[nodiscard]] Json robust_document(const RobustAnswer& answer, const RobustSettings& settings);

}  // namespace wavewright
