// Executes a plan for little energy (energy_plan.h): ranks, caps of classes that open and close, and machines
// that are switched on and off as leases.
//
// A machine that is switched off while reduces need its map output would lose it: it stays on until they have
// read it. After a restart the leases are not known (cloud/deadline/machines.h).
#pragma once

#include <memory>

#include "wavewright/energy/plan/energy_plan.h"
#include "wavewright/sched/registry.h"

namespace wavewright {

// The plan must have an order. An arriving job that it does not name is an InputError, as is a class that the
// cluster has not. O(classes) a job; with machines, O(unfinished jobs · classes for rent) for each event
// other than starts and ends.
[[nodiscard]] std::unique_ptr<Allocator> make_energy_plan_policy(EnergyPlan plan);

// Reads the plan from a file.
[[nodiscard]] PolicyEntry energy_plan_entry();

}  // namespace wavewright
