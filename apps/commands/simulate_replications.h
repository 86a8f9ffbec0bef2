// `wavewright simulate --replications N`: means and intervals over many seeds.
#pragma once

#include "apps/context.h"
#include "apps/job_listing.h"
#include "wavewright/job/sampled.h"
#include "wavewright/sim/experiment/replicate.h"

namespace wavewright::app {

// Simulates, shows progress, prints. Returns the exit status: that of an interruption if some are missing.
int simulate_replications(const Context& context, const std::string& path, const Cluster& cluster,
                          const ReplicateOptions& options, const LengthSpread& spread,
                          const JobListing& listing);

}  // namespace wavewright::app
