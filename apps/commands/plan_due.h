// `wavewright plan --objective tardiness`, `cost` and `energy`: plans that no method of --method makes.
#pragma once

#include "apps/commands/plan_options.h"
#include "apps/context.h"

namespace wavewright::app {

// Is the objective one of these? They have an answer of their own.
[[nodiscard]] bool is_due_objective(const std::string& objective);

// Throws UsageError for flags of other plans.
[[nodiscard]] int plan_due(const Context& context, const PlanOptions& options);

}  // namespace wavewright::app
