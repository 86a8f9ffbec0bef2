// When one schedule is better than another: limits first, then energy.
#pragma once

#include <optional>

#include "wavewright/core/money.h"
#include "wavewright/energy/plan/evaluate_energy.h"

namespace wavewright {

// In this order: less above `most_cost`, less tardiness, less above the aims, less energy, the earlier end,
// the lower cost, less total completion time.
struct EnergyGoal {
  std::optional<Money> most_cost;
  std::optional<Duration> aimed_makespan;
  std::optional<Money> aimed_cost;

  [[nodiscard]] bool better(const EnergyValue& a, const EnergyValue& b) const;
  [[nodiscard]] bool affords(const EnergyValue& value) const {
    return !most_cost || from_usd(value.cost_usd) <= *most_cost;
  }
};

}  // namespace wavewright
