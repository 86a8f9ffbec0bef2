// The replications document: means and intervals over many seeds
// (docs/formats/schemas/replications.schema.json).
#pragma once

#include "wavewright/job/job.h"
#include "wavewright/report/documents/json.h"
#include "wavewright/sim/experiment/replicate.h"

namespace wavewright {

[[nodiscard]] Json replications_document(const Workload& workload, const Replications& replications,
                                         const ReplicateOptions& options);

}  // namespace wavewright
