// The value of an order or a plan under the planners' objectives.
#pragma once

#include "wavewright/job/objective.h"

namespace wavewright {

struct PlanValue {
  Duration makespan{};
  Duration total_completion{};

  [[nodiscard]] Duration of(Objective objective) const {
    return planned_value(objective, makespan, total_completion);
  }
  friend bool operator==(const PlanValue&, const PlanValue&) = default;
};

// The other of the two planned objectives.
[[nodiscard]] constexpr Objective other_objective(Objective objective) {
  return objective == Objective::makespan ? Objective::total_completion : Objective::makespan;
}

}  // namespace wavewright
