// The simulation document: a simulated run, job by job (docs/formats/schemas/simulate.schema.json).
#pragma once

#include <optional>
#include <string>

#include "wavewright/cloud/bound/cost_bound.h"
#include "wavewright/job/job.h"
#include "wavewright/report/documents/json.h"
#include "wavewright/sim/metrics/explain.h"
#include "wavewright/sim/metrics/map_locality.h"
#include "wavewright/sim/metrics/promises.h"
#include "wavewright/sim/metrics/usage.h"
#include "wavewright/sim/result.h"

namespace wavewright {

// Does the cluster distinguish nodes, racks and distances when maps read?
[[nodiscard]] bool knows_places(const Cluster& cluster);

// The job must have a deadline.
[[nodiscard]] bool meets_deadline(const Job& job, const JobOutcome& outcome);

// `use`: of all nodes; absent = left out. Energy stands where the cluster's power is known, cost where prices
// are. `slot_times`: of all tasks, for what accepted jobs used; null = from the trace.
[[nodiscard]] Json simulation_document(const Workload& workload, const SimulationResult& result,
                                       const std::string& policy, const Cluster& cluster,
                                       const std::optional<UsageTotals>& use = std::nullopt,
                                       const JobSlotTimes* slot_times = nullptr);

// The `energy` member, and `energy_uj` of each job that is there.
void add_run_energy(Json& document, const RunEnergy& energy, const Cluster& cluster);
// The `map_locality` member.
void add_map_locality(Json& document, const MapLocality& maps);

// The `cost_bound` member: what machines for rent cost at least.
void add_cost_bounds(Json& document, const CostBounds& bounds);

// An item of the `why` member: where the time of a job that is done went, or why it is not done: the policy's
// reason to reject it and its other remarks, or the task that failed too often.
[[nodiscard]] Json why_document(const Workload& workload, const SimulationResult& result,
                                const Explainer& explainer, JobIndex job);

}  // namespace wavewright
