// The page of `wavewright plan --objective energy`: the plan's energy, the frontier of makespan, energy and
// cost, and the schedules of other policies.
#pragma once

#include <iosfwd>
#include <string>

#include "wavewright/energy/plan/plan_energy.h"

namespace wavewright {

struct EnergyReport {
  std::string title;
  std::string generated;  // time as text; empty = not shown
  bool priced = false;    // the cluster file gives prices
  std::optional<double> budget_usd;
  PlannedEnergy planned{};  // with its frontier
};

// A pure function of its input.
void write_energy_report(std::ostream& out, const EnergyReport& data);

}  // namespace wavewright
