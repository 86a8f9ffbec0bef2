#include "wavewright/dispatch/rules.h"

#include "wavewright/core/error.h"

namespace wavewright {

OrderingRule rule_of(Objective objective) {
  if (objective == Objective::makespan) return johnson_rule;
  if (objective == Objective::total_completion) return shortest_rule;
  if (objective == Objective::weighted_completion) return weighted_rule;
  if (objective == Objective::max_lateness || objective == Objective::total_tardiness) return deadline_rule;
  throw InternalError("no ordering rule for the objective " + to_string(objective));
}

}  // namespace wavewright
