// The command line of `wavewright run`: its flags, and which of them contradict each other.
//
// Shares are from 0 to 1 or in percent, and times have their unit with them. Each function is O(flags).
#pragma once

#include <string>

#include <CLI/App.hpp>

#include "apps/commands/batch_desk.h"
#include "apps/commands/ordering_options.h"
#include "apps/commands/run_batch.h"
#include "apps/commands/run_live.h"
#include "apps/commands/run_pools.h"
#include "apps/job_listing.h"
#include "wavewright/core/quantity.h"

namespace wavewright::app {

struct RunOptions {
  RunRequest request;
  std::string cluster, policy;
  std::string resume;
  std::string rent;  // order file
  LiveRequest live;
  Count most_at_once = 0;
  Count submit_at_once = 1;
  bool dry_run = false, priorities = false;
  bool replan = false;  // when a job drifts, those without tasks are ordered anew
  std::string submission_time, slowstart;
  PoolRequest pools;
  OrderingOptions ordering;
  JobListing listing;
  DeskOptions desk;  // a daemon that takes the jobs

  // It must outlive the command.
  void declare(CLI::App& command);
  // The flags as the batch needs them. A batch without a name gets one, of its file and the present time.
  // Throws UsageError for flags that contradict each other, and where the ResourceManager is missing.
  void settle();
  // For --daemon: a daemon has its own cluster, order and limits. Throws UsageError with the first flag that
  // has no meaning there.
  void refuse_beside_daemon() const;

 private:
  void require_resource_manager() const;
};

}  // namespace wavewright::app
