// A live batch as a table and as JSON; also the choice of one by its name.
#pragma once

#include <string>

#include "apps/context.h"
#include "apps/job_listing.h"
#include "wavewright/live/batch_store.h"
#include "wavewright/live/outlook.h"

namespace wavewright::app {

// The batch of that name; with an empty one the latest. Throws UsageError if there is none, with the nearest
// name.
[[nodiscard]] LiveBatch find_batch(const BatchStore& batches, const std::string& name);

// Throws UsageError with the nearest id if the batch has no such job.
[[nodiscard]] const LiveJob& find_job(const LiveBatch& batch, const std::string& id);

// Its jobs, and how many are in which state.
void print_live(const LiveBatch& batch, const Outlook& outlook = {});

// When each is expected to start and end, nine times of ten, and how good such estimates are.
void print_starts(const LiveBatch& batch, const Outlook& outlook);

[[nodiscard]] Json live_document(const LiveBatch& batch, const Outlook& outlook = {});

// `3 done, 2 running, 7 waiting`
[[nodiscard]] std::string states_text(const LiveBatch& batch);

// From the beginning of the batch to the end of its last job; absent while one has not ended or if none ran.
[[nodiscard]] std::optional<Duration> makespan_of(const LiveBatch& batch);

}  // namespace wavewright::app
