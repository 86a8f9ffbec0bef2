// `wavewright simulate --why`: where the time of jobs went, or why they are not done.
#pragma once

#include <string>
#include <vector>

#include "apps/context.h"
#include "apps/job_listing.h"
#include "wavewright/sim/metrics/explain.h"

namespace wavewright::app {

// The jobs that the patterns name, each once, in their order: by id, or by name if no id matches; `*` stands
// for any text. Throws UsageError for a pattern without a job, with what it may mean.
[[nodiscard]] std::vector<JobIndex> jobs_named(const Workload& workload,
                                               const std::vector<std::string>& patterns);

// One paragraph or table a job, of many jobs only the first unless `listing` wants all. `result` must have
// its trace.
void print_why(const SimulationResult& result, const Workload& workload, const Cluster& cluster,
               const std::vector<JobIndex>& jobs, const JobListing& listing);

}  // namespace wavewright::app
