// The searches of `plan --searches` as units of work on a cluster.
#pragma once

#include <vector>

#include "apps/commands/plan_search.h"
#include "apps/engine/engine_options.h"

namespace wavewright::app {

// As plans_of_seeds, on the cluster. Throws as YarnEngine and UnitRun do, Interrupted.
[[nodiscard]] std::vector<Plan> plans_on_yarn(const Context& context, const EngineFlags& flags,
                                              const PlanSearch& search, std::uint64_t seed, Count searches);

}  // namespace wavewright::app
