// Serves jobs in given orders. Planners simulate it while they search.
#pragma once

#include <memory>
#include <span>

#include "wavewright/sched/policy.h"

namespace wavewright {

// `order` has every job once, for maps and reduces.
[[nodiscard]] std::unique_ptr<Allocator> make_ranked_order(std::span<const JobIndex> order);
// One order for maps and one for reduces. Needs `rank_per_kind` if they differ.
[[nodiscard]] std::unique_ptr<Allocator> make_ranked_orders(std::span<const JobIndex> maps,
                                                            std::span<const JobIndex> reduces);

}  // namespace wavewright
