// The members `job_counts` and `attempt_counts`: jobs and attempts by how they ended.
#pragma once

#include "wavewright/report/documents/json.h"
#include "wavewright/sim/metrics/run_counts.h"

namespace wavewright {

void add_counts(Json& document, const RunCounts& counts);

}  // namespace wavewright
