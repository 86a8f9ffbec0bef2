// A live batch as a table and as JSON; also the choice of one by its name.
#pragma once

#include <string>

#include "apps/context.h"
#include "apps/job_listing.h"
#include "apps/table.h"
#include "wavewright/live/batch/batch_store.h"
#include "wavewright/live/outlook/outlook.h"

namespace wavewright::app {

// The batch of that name; with an empty one the latest. Throws UsageError if there is none, with the nearest
// name.
[[nodiscard]] LiveBatch find_batch(const BatchStore& batches, const std::string& name);

// Throws UsageError with the nearest id if the batch has no such job.
[[nodiscard]] const LiveJob& find_job(const LiveBatch& batch, const std::string& id);

// `22:00:31  nightly-etl  accepted: application_…`, harmless for a terminal. `when`: the instant as a text.
[[nodiscard]] std::string event_line(const std::string& when, const LiveEvent& event);

[[nodiscard]] Cell clock_cell(const std::optional<Time>& at);

// Its jobs, and how many are in which state.
void print_live(const LiveBatch& batch, const Outlook& outlook = {});

// The expected start and end of each job as an interval of 90 %, and the errors of past estimates.
void print_starts(const LiveBatch& batch, const Outlook& outlook);

// How far off such estimates have been, by profile, and the profiles that have changed.
void print_records(const Outlook& outlook);

[[nodiscard]] Json live_document(const LiveBatch& batch, const Outlook& outlook = {});

// `3 done, 2 running, 7 waiting`
[[nodiscard]] std::string states_text(const LiveBatch& batch);

// From the beginning of the batch to the end of its last job; absent while one has not ended or if none ran.
[[nodiscard]] std::optional<Duration> makespan_of(const LiveBatch& batch);

}  // namespace wavewright::app
