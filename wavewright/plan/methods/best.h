// The default method: the best plan of all other methods, improved by a search [docs/use/planning.md]. It is
// no worse than the plans that it starts from. Equal plans are told apart by the other objective
// (methods/tie_break.h).
#pragma once

#include <memory>
#include <vector>

#include "wavewright/plan/planner.h"

namespace wavewright {

// `others`: the methods whose plans it starts from; must outlive it.
[[nodiscard]] std::unique_ptr<Planner> make_best(std::vector<const Planner*> others);

}  // namespace wavewright
