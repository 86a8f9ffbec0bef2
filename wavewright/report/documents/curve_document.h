// The curve document: makespan over the number of slots (docs/formats/schemas/plan-curve.schema.json).
#pragma once

#include "wavewright/plan/analysis/curve.h"
#include "wavewright/plan/analysis/slot_range.h"
#include "wavewright/report/documents/json.h"

namespace wavewright {

// `seconds`: time spent.
[[nodiscard]] Json curve_document(const MakespanCurve& curve, SlotAxis axis, const CurveProblem& problem,
                                  double seconds);

}  // namespace wavewright
