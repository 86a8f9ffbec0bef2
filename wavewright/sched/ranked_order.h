// Serves jobs in a given order. Planners simulate it while they search.
#pragma once

#include <memory>
#include <span>

#include "wavewright/sched/policy.h"

namespace wavewright {

// `order` has every job once, for maps and reduces.
[[nodiscard]] std::unique_ptr<Allocator> make_ranked_order(std::span<const JobIndex> order);

}  // namespace wavewright
