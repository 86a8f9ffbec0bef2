// Executes a plan: pools become groups with a maximum, orders become ranks.
#pragma once

#include <memory>
#include <optional>

#include "wavewright/sched/plan.h"
#include "wavewright/sched/registry.h"

namespace wavewright {

// The plan must outlive the policy. An arriving job that the plan does not name is an InputError. The policy
// needs `groups` unless the plan has no pools or its one pool is `whole`.
[[nodiscard]] std::unique_ptr<Allocator> make_plan_policy(const Plan& plan,
                                                          std::optional<SlotPool> whole = std::nullopt);

// Reads the plan from a file and keeps it.
[[nodiscard]] PolicyEntry plan_entry();

}  // namespace wavewright
