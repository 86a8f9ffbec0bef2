// `wavewright plan --objective energy`.
#pragma once

#include "apps/commands/plan_options.h"
#include "apps/context.h"

namespace wavewright::app {

[[nodiscard]] int plan_for_energy(const Context& context, const PlanOptions& options);

}  // namespace wavewright::app
