// Executes a plan: its pools as groups with a maximum, its order (or orders) as ranks.
#pragma once

#include <memory>
#include <optional>

#include "wavewright/sched/plan.h"
#include "wavewright/sched/registry.h"

namespace wavewright {

// The plan must stay alive as long as the policy. An arriving job that the plan does not name is an
// InputError. Needs `groups` only where the plan's pools limit anything: not where its one pool is `whole`.
[[nodiscard]] std::unique_ptr<Allocator> make_plan_policy(const Plan& plan,
                                                          std::optional<SlotPool> whole = std::nullopt);

// Reads the plan from a file and keeps it.
[[nodiscard]] PolicyEntry plan_entry();

}  // namespace wavewright
