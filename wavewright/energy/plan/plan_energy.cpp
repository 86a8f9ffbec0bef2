#include "wavewright/energy/plan/plan_energy.h"

#include <algorithm>

#include "wavewright/cluster/power.h"
#include "wavewright/core/error.h"
#include "wavewright/energy/plan/energy_search.h"
#include "wavewright/sim/metrics/usage.h"

namespace wavewright {

std::optional<MicroJoules> PlannedEnergy::floor() const {
  if (!bound || none_in_time) return std::nullopt;
  return exact ? std::max(bound->energy, exact->energy) : bound->energy;
}

bool PlannedEnergy::proved_optimal() const {
  return in_time() && value.energy.total() == floor();
}

std::optional<double> PlannedEnergy::gap() const {
  return gap_above(value, floor());
}

PlannedEnergy plan_energy(const EnergyProblem& problem, const Stop& stop) {
  if (problem.cluster.mode.kind != ClusterMode::Kind::slots)
    throw UsageError(
        "plans for energy need a cluster of slots, and the cluster file gives containers",
        "use one with kind = \"slots\", and map_slots and reduce_slots for as many as a node runs at once");
  if (!knows_power(problem.cluster))
    throw UsageError("the cluster file gives no powers", "see docs/use/energy.md: power_idle_w, power_map_w");
  if (problem.most_cost && !knows_prices(problem.cluster))
    throw UsageError("a price limit needs prices, and the cluster file gives none",
                     "give [[nodes]] a price_per_hour");
  check_states(problem.states, problem.cluster);
  return EnergySearch(problem, stop).run();
}

}  // namespace wavewright
