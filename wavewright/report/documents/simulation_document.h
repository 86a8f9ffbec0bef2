// The simulation document: a simulated run, job by job (docs/formats/schemas/simulate.schema.json).
#pragma once

#include <string>

#include "wavewright/job/job.h"
#include "wavewright/report/documents/json.h"
#include "wavewright/sim/metrics/explain.h"
#include "wavewright/sim/result.h"

namespace wavewright {

// Does the cluster distinguish nodes, racks and distances when maps read?
[[nodiscard]] bool knows_places(const Cluster& cluster);

// The job must have a deadline.
[[nodiscard]] bool meets_deadline(const Job& job, const JobOutcome& outcome);

[[nodiscard]] Json simulation_document(const Workload& workload, const SimulationResult& result,
                                       const std::string& policy, const Cluster& cluster);

// The `why` member of a rejected job: the policy's reason and its other remarks about the job.
[[nodiscard]] Json rejection_document(const Workload& workload, const SimulationResult& result, JobIndex job);

// The `why` member: the parts of one job's time.
[[nodiscard]] Json explanation_document(const std::string& job, const Explanation& explanation);

}  // namespace wavewright
