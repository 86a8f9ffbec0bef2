// The value of an order or a plan under the planners' objectives.
#pragma once

#include "wavewright/job/objective.h"

namespace wavewright {

struct Value {
  Duration makespan{};
  Duration total_completion{};

  [[nodiscard]] Duration of(Objective objective) const {
    return planned_value(objective, makespan, total_completion);
  }
  friend bool operator==(const Value&, const Value&) = default;
};

}  // namespace wavewright
