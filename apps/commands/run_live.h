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

// A batch of that name that begins now. Its tags are its own: a later batch of the same name has others.
[[nodiscard]] LiveBatch live_batch(const Context& context, const RunRequest& request,
                                   const std::optional<Cluster>& cluster);

// Puts the batch into the store, submits its jobs and returns when all have ended. 0 = all are done, 1 = some
// are not. Ctrl-C ends the following, not the jobs (130). `expected`: makespan that was simulated. Throws
// ExternalError if the cluster gives no answer at first; later it is waited for.
int run_live(const Context& context, const LiveRequest& request, const LiveBatch& batch,
             std::optional<Duration> expected);

// Takes up a batch of the store that was interrupted.
int continue_live(const Context& context, const LiveRequest& request, const std::string& name);

}  // namespace wavewright::app
