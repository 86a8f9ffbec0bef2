// Runs a prepared batch on a live cluster and follows it to its end.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "apps/commands/ordering_options.h"
#include "apps/commands/run_batch.h"
#include "apps/commands/run_pools.h"
#include "apps/context.h"
#include "wavewright/live/batch/live_batch.h"
#include "wavewright/live/outlook/outlook.h"
#include "wavewright/live/promise/promises.h"
#include "wavewright/live/submission/start_rules.h"
#include "wavewright/live/yarn/pool_queues.h"
#include "wavewright/store/store.h"

namespace wavewright::app {

struct LiveRequest {
  std::string resource_manager, history_server, ca_file, keytab;
  std::size_t most_at_once = 0;
  std::string targets, targets_key;  // files; empty = the ResourceManager has no plug-in
  std::string placer;                // of the plug-in, as live/yarn/target_placer.h takes it
  std::size_t submit_at_once = 1;    // commands that may be on their way to the cluster at the same time
  bool no_check = false;             // of what was promised, at the end
  // For forecasts while it runs; absent = as the ResourceManager tells, and by its queues.
  std::optional<Cluster> cluster = std::nullopt;
  std::string policy = {};
  std::optional<double> slowstart = std::nullopt;  // likewise, of the jobs; absent = the cluster's own
  StartRules rules = {};                           // of the commands
  bool promises = false;  // deadlines are promised on the slots of `cluster` (live/promise/promises.h)
};

// Declares --resource-manager, --history-server, --ca-file, --keytab and --at-once.
void declare_live(CLI::App& command, LiveRequest& live, Count& most_at_once);

// The dispatching queue that the flags ask for; absent without --when. The seed is that of a planner which
// orders it. Throws UsageError if --when is given without a cluster file.
[[nodiscard]] std::optional<LiveOrdering> live_ordering(const OrderingOptions& options,
                                                        const std::optional<Cluster>& cluster,
                                                        std::uint64_t seed);

// How jobs of a plan for that objective are ordered anew when one drifts. Throws UsageError for an engine or
// its limits.
[[nodiscard]] LiveOrdering replanning(const OrderingOptions& options, const Cluster& cluster,
                                      Objective objective, std::uint64_t seed);

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
// `pools` become queues before the first job; they are removed when all jobs have ended.
// `expectation` stands in the document that `--json` prints at the end, as `expected`.
int run_live(const Context& context, const LiveRequest& request, const LiveBatch& batch,
             const std::optional<PoolQueues>& pools, const std::optional<Json>& expectation);

// Options of follow_batch: a daemon's queue goes on for ever, and its readers are told of each step.
struct LiveWatch {
  bool endless = false;  // more jobs may come when all have ended
  // Called after each step, by the thread that runs the batch.
  std::function<void(std::vector<LiveJob>&& jobs, const std::vector<LiveEvent>& events)> told;
  // Called with each new forecast, likewise.
  std::function<void(const std::shared_ptr<const Outlook>& outlook)> looked = {};
  // Likewise, with how the cluster stands, where deadlines are promised.
  std::function<void(const std::shared_ptr<const SeenCluster>& seen)> stands = {};
  // Likewise, with how long the step took to decide: waits for store, cluster and commands do not count.
  std::function<void(std::chrono::nanoseconds took)> decided = {};
  // Likewise, with the jobs that left the batch for its archive.
  std::function<void(const std::vector<LiveJob>& jobs)> archived = {};
  std::optional<Duration> keep_ended = std::nullopt;  // as in DriverOptions
  std::size_t most_ended = 10'000;
  BatchPools* pools = nullptr;  // queues that must be there before a step; null = none
};

// Runs a batch of the store until all its jobs have ended or Ctrl-C; returns how it stands then. Jobs that
// have ended are imported. Throws LeadLost if another program takes it over, and OtherHadoop if the first
// answer of the cluster is one of a Hadoop that cannot be driven.
[[nodiscard]] LiveBatch follow_batch(const Context& context, const LiveRequest& request, Store& store,
                                     const std::string& name, const LiveWatch& watch);

// The folder for the state of live batches on this machine: `$XDG_STATE_HOME/wavewright` (default
// `~/.local/state/wavewright`).
[[nodiscard]] std::filesystem::path state_folder();
// The folder of the commands' locks and logs of a batch with that tag.
[[nodiscard]] std::string submissions_folder(const std::string& tag);
// Where `serve` keeps the key of its seals (live/submission/start_rules.h).
[[nodiscard]] std::filesystem::path seal_file();

// Takes up a batch of the store that was interrupted.
int continue_live(const Context& context, const LiveRequest& request, const std::string& name);

}  // namespace wavewright::app
