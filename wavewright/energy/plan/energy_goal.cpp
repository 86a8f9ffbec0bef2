#include "wavewright/energy/plan/energy_goal.h"

#include <algorithm>
#include <tuple>

namespace wavewright {

namespace {

template <class Amount>
Amount excess(const Amount& value, const std::optional<Amount>& most) {
  return most ? std::max(Amount{}, value - *most) : Amount{};
}

}  // namespace

bool EnergyGoal::better(const EnergyValue& a, const EnergyValue& b) const {
  const auto key = [&](const EnergyValue& value) {
    const Money cost = from_usd(value.cost_usd);
    return std::tuple(excess(cost, most_cost), value.tardiness, excess(value.makespan, aimed_makespan),
                      excess(cost, aimed_cost), value.energy.total(), value.makespan, cost,
                      value.total_completion);
  };
  return key(a) < key(b);
}

}  // namespace wavewright
