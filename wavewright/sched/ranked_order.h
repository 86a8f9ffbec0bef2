// Serves jobs in a given order: what planners simulate while they search.
#pragma once

#include <memory>
#include <span>

#include "wavewright/sched/policy.h"

namespace wavewright {

// `order` names every job of the workload once by its position; the same order for maps and reduces.
[[nodiscard]] std::unique_ptr<Allocator> make_ranked_order(std::span<const JobIndex> order);

}  // namespace wavewright
