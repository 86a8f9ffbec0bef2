// BalancedPools: two pools of slots, small jobs in the one and large jobs in the other, each in Johnson's
// order, sized so that both end together [HP Alg. 2].
//
// Readings (docs/papers.md): sizes are slots, not machines, from 1 to one less than there are; the interval
// search runs while the interval is wider than one slot and keeps the best over every size visited; jobs are
// sorted by number of maps, equal numbers by map work and then by submission. Where a pool has other numbers
// of map and reduce slots, a part takes the same share of both, rounded, at least one of each.
#pragma once

#include <memory>

#include "wavewright/plan/planner.h"

namespace wavewright {

// `balanced-pools`: the paper's interval search. O(n · log slots) simulations of two pools, all splits in
// parallel.
[[nodiscard]] std::unique_ptr<Planner> make_balanced_pools();

// `balanced-pools-sweep`: every split and every size, passing over those whose lower bound shows that they
// cannot improve. O(n · slots) simulations at most; the best two pools of this kind there are.
[[nodiscard]] std::unique_ptr<Planner> make_balanced_pools_sweep();

// `balanced-pools-genetic`: as `balanced-pools`, with orders in the pools that genetic search improves from
// Johnson's on [CLOUD Alg. 6]; how long it searches depends on the number of tasks.
[[nodiscard]] std::unique_ptr<Planner> make_balanced_pools_genetic();

}  // namespace wavewright
