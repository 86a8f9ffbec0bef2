// The default method: every heuristic's plan, and a search over separate orders of maps and of reduces from
// the best pair of orders [docs/use/planning.md]. What it gives is no worse than any other method's plan.
#pragma once

#include <memory>
#include <vector>

#include "wavewright/plan/planner.h"

namespace wavewright {

// The methods whose plans it starts from must outlive it.
[[nodiscard]] std::unique_ptr<Planner> make_best(std::vector<const Planner*> others);

}  // namespace wavewright
