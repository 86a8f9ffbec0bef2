// Flags of `wavewright plan` that have no meaning beside each other. All throw UsageError.
#pragma once

#include "apps/commands/plan_options.h"

namespace wavewright::app {

// Refuses a flag that the requested answer would ignore.
void refuse_unused(bool given, const char* flag, const char* where);
// --searches and --engine: the searches are of this machine or of a cluster, and give the same plans.
void refuse_searches(const PlanOptions& options);
// --within is for the search of `best`.
void refuse_within(const PlanOptions& options);
// Flags of the objectives energy and cost; the objective is another.
void refuse_energy_flags(const PlanOptions& options);
// Flags of a search beside --plan and --compare, and those of a deadline without one.
void refuse_ignored(const PlanOptions& options);

}  // namespace wavewright::app
