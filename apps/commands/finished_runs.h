// Histories of the jobs of a live batch, imported as the jobs end.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>

#include "apps/context.h"
#include "wavewright/history/follow.h"
#include "wavewright/live/batch/live_batch.h"
#include "wavewright/store/store.h"

namespace wavewright::app {

class FinishedRuns {
 public:
  // `server`: web address of the JobHistory server; empty = nothing is imported. The store must outlive it.
  FinishedRuns(const Context& context, Store& store, const std::string& server, const std::string& ca_file,
               Time began);

  // Imports what the server has of the batch's ended jobs. Asks it every five seconds at most, and only while
  // one of them is missing. A server that gives no answer is told of once.
  void look(const LiveBatch& batch);
  // Jobs that left the batch: what is missing of them is still asked for.
  void forget(const std::vector<LiveJob>& jobs);
  // Waits until the histories of all ended jobs are there, half a minute at most, and tells how many are not.
  void wait(const LiveBatch& batch);

 private:
  void ask();

  const Context& context_;
  Store& store_;
  std::string server_;
  std::optional<FollowedSource> source_;
  std::set<std::string> missing_, seen_;  // ids of runs
  std::optional<std::chrono::steady_clock::time_point> asked_;
  std::string problem_;
  Count imported_ = 0;
};

}  // namespace wavewright::app
