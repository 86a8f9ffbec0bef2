// The string that names a policy: `fifo`, `plan(night.json)`, `fair(within=fifo)`, and, where slots have
// places, the placer that completes it: `fair+delay(3s)`.
#pragma once

#include <string_view>

#include "wavewright/cluster/cluster.h"
#include "wavewright/sched/policy.h"
#include "wavewright/sched/registry.h"

namespace wavewright {

// The policies of this folder: fifo, plan, fair, capacity, delay.
[[nodiscard]] const PolicyRegistry& standard_policies();

// Throws UsageError with the nearest name, where the parameters make no sense, or where the factory throws
// what is no Error of ours; else what the factory throws.
[[nodiscard]] Policy make_policy(std::string_view text, const PolicyContext& context = {},
                                 const PolicyRegistry& registry = standard_policies());

// Likewise for that cluster; UsageError where a placer needs places of blocks, which the cluster has not.
[[nodiscard]] Policy make_policy_on(std::string_view text, const Cluster& cluster,
                                    const PolicyRegistry& registry = standard_policies());

}  // namespace wavewright
