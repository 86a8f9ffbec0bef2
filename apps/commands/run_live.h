// Runs a prepared batch on a live cluster and follows it to its end.
#pragma once

#include <optional>
#include <string>

#include "apps/commands/run_batch.h"
#include "apps/context.h"
#include "wavewright/live/live_batch.h"

namespace wavewright::app {

struct LiveRequest {
  std::string resource_manager, history_server, ca_file;
  std::size_t most_at_once = 0;
};

// Throws InputError with the job if its program or jar is not on this machine.
void check_programs(const RunBatch& batch, const std::string& file);

// The text from which the tags of a batch are made: a later batch of the same name has others.
[[nodiscard]] std::string tagged_text(const std::string& name, Time began);

// Prepared jobs as a live batch has them. Their times count from `begin`; `expected` may be null.
[[nodiscard]] std::vector<LiveJob> live_jobs(const RunBatch& batch, const RunRequest& request, Time begin,
                                             const ExpectedRun* expected);

// The prepared batch as one that began then.
[[nodiscard]] LiveBatch live_batch(const RunBatch& batch, const RunRequest& request, Time began,
                                   const std::optional<LiveOrdering>& ordering, const ExpectedRun* expected);

// Puts the batch into the store, submits its jobs and returns when all have ended. 0 = all are done, 1 = some
// are not. Ctrl-C ends the following, not the jobs (130). Throws ExternalError if the cluster gives no answer
// at first; later it is waited for.
int run_live(const Context& context, const LiveRequest& request, const LiveBatch& batch);

// Takes up a batch of the store that was interrupted.
int continue_live(const Context& context, const LiveRequest& request, const std::string& name);

}  // namespace wavewright::app
