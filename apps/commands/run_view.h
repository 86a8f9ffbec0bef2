// The output of `wavewright run` before anything is submitted.
#pragma once

#include <optional>

#include "apps/commands/run_batch.h"
#include "apps/commands/run_live.h"
#include "apps/context.h"
#include "apps/job_listing.h"

namespace wavewright::app {

// Makespan and total completion of each order, and whether the plan's is better here than the file's.
void print_expectation(const RunBatch& batch, const Expectation& expected);

// --dry-run: pools, each job's command, what is expected, how far off such estimates have been, and what
// would be rented (run_rent.h).
void print_dry_run(const Context& context, const RunBatch& batch, const RunRequest& request,
                   const LiveRequest& live, const JobListing& listing,
                   const std::optional<Expectation>& expected, const std::optional<Json>& rent);

}  // namespace wavewright::app
