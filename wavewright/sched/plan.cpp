#include "wavewright/sched/plan.h"

#include <array>
#include <limits>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"

namespace wavewright {

std::string to_string(Objective objective) {
  return objective == Objective::makespan ? "makespan" : "total-completion";
}

Objective parse_objective(const std::string& name) {
  for (const Objective objective : {Objective::makespan, Objective::total_completion}) {
    if (to_string(objective) == name) return objective;
  }
  const std::array<std::string, 2> names = {"makespan", "total-completion"};
  throw UsageError("unknown objective '" + name + "'", suggestion(name, names));
}

double Plan::gap() const {
  const auto bound = static_cast<double>(to_ms(lower_bound));
  const auto over = static_cast<double>(to_ms(value() - lower_bound));
  if (over == 0) return 0;
  return bound == 0 ? std::numeric_limits<double>::infinity() : over / bound;
}

}  // namespace wavewright
