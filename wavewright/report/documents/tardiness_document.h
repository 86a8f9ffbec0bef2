// The document of `wavewright plan --objective tardiness` (docs/formats/schemas/plan-tardiness.schema.json).
#pragma once

#include "wavewright/job/task_order.h"
#include "wavewright/plan/tardiness/tardiness_plan.h"
#include "wavewright/report/documents/json.h"

namespace wavewright {

// Does a job's cost of delay count?
[[nodiscard]] bool is_weighted(const Workload& batch);

[[nodiscard]] Json tardiness_document(const TardinessPlan& plan, const Workload& batch,
                                      const TardinessProblem& problem, TaskOrder task_order, double seconds);

}  // namespace wavewright
