// The document of `wavewright plan --objective energy`: the plan, its energy, and the bound.
#pragma once

#include "wavewright/energy/job_energy.h"
#include "wavewright/energy/plan/plan_energy.h"
#include "wavewright/report/documents/json.h"

namespace wavewright {

[[nodiscard]] Json energy_plan_document(const PlannedEnergy& planned, const EnergyProblem& problem,
                                        double seconds);

// The `map_energy` member: what a map of each job takes on each class, and the nodes that suit the job best.
void add_map_energy(Json& document, const std::vector<JobEnergy>& jobs, const Workload& batch);

}  // namespace wavewright
