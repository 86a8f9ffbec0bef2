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

// To standard error, if the plan's order is worse here than the file's: where the output is one document,
// which comes at the end.
void warn_of_plan(const Context& context, const RunBatch& batch, const Expectation& expected);

// How far off estimates of the jobs' profiles have been, and the profiles that have changed.
void print_records(const Context& context, const RunBatch& batch);

// --dry-run: pools, each job's command, what is expected, how far off such estimates have been, and what
// would be rented (run_rent.h).
void print_dry_run(const Context& context, const RunBatch& batch, const RunRequest& request,
                   const LiveRequest& live, const JobListing& listing,
                   const std::optional<Expectation>& expected, const std::optional<Json>& rent);

}  // namespace wavewright::app
