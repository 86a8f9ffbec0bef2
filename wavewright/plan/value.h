// What an order or a plan is worth.
#pragma once

#include "wavewright/sched/plan.h"

namespace wavewright {

struct Value {
  Duration makespan{};
  Duration total_completion{};

  [[nodiscard]] Duration of(Objective objective) const {
    return objective == Objective::makespan ? makespan : total_completion;
  }
  friend bool operator==(const Value&, const Value&) = default;
};

}  // namespace wavewright
