// The document of `wavewright plan --objective energy`: the plan, its energy, and the bound.
#pragma once

#include "wavewright/energy/plan/plan_energy.h"
#include "wavewright/report/documents/json.h"

namespace wavewright {

[[nodiscard]] Json energy_plan_document(const PlannedEnergy& planned, const EnergyProblem& problem,
                                        double seconds);

}  // namespace wavewright
