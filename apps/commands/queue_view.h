// `wavewright queue` as tables.
#pragma once

#include "apps/job_listing.h"
#include "wavewright/dispatch/queue_outcome.h"

namespace wavewright::app {

// Writes jobs as `listing` says and the totals to standard output.
void print(const QueueOutcome& outcome, const JobListing& listing);

}  // namespace wavewright::app
