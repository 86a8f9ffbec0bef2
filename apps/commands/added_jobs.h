// Jobs that are added to a batch of the store while it runs: checked as those of `run` are, then added, all
// or none.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "apps/context.h"
#include "wavewright/cluster/cluster.h"
#include "wavewright/live/batch/batch_store.h"
#include "wavewright/live/submission/start_rules.h"
#include "wavewright/live/yarn/queue_access.h"
#include "wavewright/live/yarn/queue_names.h"

namespace wavewright::app {

struct AddedToBatch {
  std::vector<LiveJob> jobs;
  Json document;  // as `run --dry-run --json`, with `submitted`
};

// For whom jobs are added, where a daemon knows it.
struct JobOwner {
  std::optional<Account> account =
      std::nullopt;                   // under which they run; absent = that of whoever starts them
  const StartRules* rules = nullptr;  // that seal them
};

// How a daemon has jobs checked, and prepared where it promises deadlines, before they are added.
struct AddedJobsRules {
  std::optional<double> slowstart = std::nullopt;  // as in RunRequest
  QueueNames* queues = nullptr;                    // of the cluster; null = it is not asked
  QueueAccess* access = nullptr;                   // of the cluster; null = it is not asked who may submit
  Submitter submitter = {};                        // of the jobs, unless their owner names an account
  std::string led_by = {};                         // as BatchStore::add
  std::size_t most_bytes = std::numeric_limits<std::size_t>::max();  // as in RunRequest
  // Is called with the jobs as listed and as they are added, in the same order, in a dry run, too.
  std::function<void(const Workload& listed, std::vector<LiveJob>& jobs)> prepare = {};
};

// `head`: of the batch. `source` names the jobs in errors, `queue` is that of jobs which name none. Throws
// InputError with the job if one cannot be submitted, is of another user than its owner or of one who may not
// use its queue, or if the batch or its archive has a job of one of the ids.
AddedToBatch add_to_batch(const BatchStore& batches, const LiveBatch& head, Workload jobs,
                          const std::string& source, const std::string& queue,
                          const std::optional<Cluster>& cluster, bool dry_run, const JobOwner& owner = {},
                          const AddedJobsRules& rules = {});

}  // namespace wavewright::app
