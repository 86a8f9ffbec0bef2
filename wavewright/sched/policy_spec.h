// Policy strings: an allocator such as `fifo`, `plan(night.json)` or `fair(within=fifo)`, and optionally a
// placer: `fair+delay(3s)`.
#pragma once

#include <string_view>

#include "wavewright/cluster/cluster.h"
#include "wavewright/sched/policy.h"
#include "wavewright/sched/registry.h"

namespace wavewright {

// The policies of this folder: fifo, plan, fair, capacity; the placers delay, one-non-local, matchmaking.
[[nodiscard]] const PolicyRegistry& standard_policies();

// Throws UsageError for an unknown name (with the nearest one), for wrong parameters, and if the factory
// throws something other than wavewright::Error; an Error of the factory passes through.
[[nodiscard]] Policy make_policy(std::string_view text, const PolicyContext& context = {},
                                 const PolicyRegistry& registry = standard_policies());

// Takes the context from the cluster. Also throws UsageError for a placer if the cluster has no block places.
// So it does for a policy that promises deadlines, if launches share processors or shuffles the network.
[[nodiscard]] Policy make_policy_on(std::string_view text, const Cluster& cluster,
                                    const PolicyRegistry& registry = standard_policies());

}  // namespace wavewright
