// BalancedPools: two pools of slots, small jobs in one and large jobs in the other, each in Johnson's
// order, sized so that both pools end together [HP Alg. 2].
//
// Readings (docs/papers.md): sizes are in slots, not machines, from 1 to one less than the total. The
// interval search runs while the interval is wider than one slot and keeps the best size visited. Jobs are
// sorted by number of maps, then by map work, then by submission. If map and reduce slots differ in number, a
// part takes the same share of both, rounded, at least one of each.
#pragma once

#include <memory>

#include "wavewright/plan/planner.h"

namespace wavewright {

// `balanced-pools`: the paper's interval search, splits in parallel. O(n · log slots) pairs of simulations.
[[nodiscard]] std::unique_ptr<Planner> make_balanced_pools();

// `balanced-pools-sweep`: every split and every size, except those that a lower bound rules out. At most O(n
// · slots) simulations. Finds the best two pools of this kind.
[[nodiscard]] std::unique_ptr<Planner> make_balanced_pools_sweep();

// `balanced-pools-genetic`: `balanced-pools` with a genetic search for the order in each pool, started from
// Johnson's order [CLOUD Alg. 6]. The length of the search depends on the number of tasks.
[[nodiscard]] std::unique_ptr<Planner> make_balanced_pools_genetic();

}  // namespace wavewright
