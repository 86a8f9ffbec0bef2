// The plan document: a plan (docs/formats/plan-file.md) and its analysis
// (docs/formats/schemas/plan.schema.json).
#pragma once

#include <vector>

#include "wavewright/plan/analysis/answers.h"
#include "wavewright/report/documents/json.h"

namespace wavewright {

// plan_to_json with `limits`, `deadline` and `risk`, each if computed.
[[nodiscard]] Json plan_document(const Plan& plan, const PlanAnswers& answers, const Workload& batch);

// Adds `compared`: a row per method's plan; nothing for a single plan.
void add_compared(Json& document, const std::vector<Plan>& plans);

}  // namespace wavewright
