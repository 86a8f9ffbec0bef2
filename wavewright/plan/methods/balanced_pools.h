// BalancedPools: two pools of slots, small jobs in one and large jobs in the other, each in Johnson's
// order, sized so that both pools end together [HP Alg. 2].
//
// Readings (docs/papers.md): sizes are slots, not machines, from 1 to one less than there are. The interval
// search runs while the interval is wider than one slot and keeps the best of all sizes visited. Jobs are
// sorted by number of maps, then by map work, then by submission. Where a pool has different numbers of map
// and reduce slots, a part takes the same share of both, rounded, at least one of each.
#pragma once

#include <memory>

#include "wavewright/plan/planner.h"

namespace wavewright {

// `balanced-pools`: the paper's interval search, all splits in parallel. O(n · log slots) simulations of two
// pools.
[[nodiscard]] std::unique_ptr<Planner> make_balanced_pools();

// `balanced-pools-sweep`: every split and every size, without those whose lower bound shows that they cannot
// improve. O(n · slots) simulations at most. Finds the best two pools of this kind.
[[nodiscard]] std::unique_ptr<Planner> make_balanced_pools_sweep();

// `balanced-pools-genetic`: `balanced-pools`, and a genetic search that improves the orders in the pools from
// Johnson's order on [CLOUD Alg. 6]. The length of the search depends on the number of tasks.
[[nodiscard]] std::unique_ptr<Planner> make_balanced_pools_genetic();

}  // namespace wavewright
