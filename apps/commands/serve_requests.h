// The work behind the daemon's HTTP API.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/commands/added_jobs.h"
#include "apps/commands/ordering_options.h"
#include "apps/commands/run_live.h"
#include "apps/context.h"
#include "wavewright/core/http.h"
#include "wavewright/live/batch/batch_archive.h"
#include "wavewright/live/batch/live_board.h"
#include "wavewright/live/promise/promises.h"
#include "wavewright/live/yarn/queue_access.h"
#include "wavewright/live/yarn/queue_names.h"
#include "wavewright/serve/api.h"
#include "wavewright/store/store.h"

namespace wavewright::app {

struct ServeOptions {
  std::string batch = "queue", listen = "127.0.0.1:8190", cluster, queue, certificate, key;
  LiveRequest live;
  OrderingOptions ordering;
  Count most_at_once = 0, lowest_account = wavewright::lowest_account;
  std::string keep_ended = "7d";
  std::string slowstart;  // as given; `live` has the number
  Count most_ended = 10'000;
  bool sealed_only = false, promise = false;
};

// Carries out requests over a connection to the store of its own, one request at a time. Jobs that are only
// tried have another connection, beside it.
class ServeRequests {
 public:
  // Context, options and board must outlive it. Throws what read_cluster and Store::open throw.
  ServeRequests(const Context& context, const ServeOptions& options, LiveBatch batch, LiveBoard& board);

  // As the ports of serve/api.h say.
  std::optional<ApiToken> find_token(std::string_view token);
  AddedJobs add_jobs(const NewJobs& jobs);
  std::string test_jobs(const NewJobs& given);
  std::string why(const LiveJob& job);
  void wish(const std::string& job, Wish wish);
  std::vector<LiveJob> past_jobs(const EndedQuestion& question);
  std::optional<LiveJob> past_job(const std::string& id);
  std::string preview(const std::string& text);
  std::string cluster();
  // From the file: the driver that writes it waits for nobody who reads it.
  std::optional<std::string> targets();

  // The cluster as it stands, from the thread that runs the batch: promises are made on it.
  void take(const std::shared_ptr<const SeenCluster>& seen);

 private:
  // Reads twice if need be: the first read after the server's restart finds the old connection closed.
  template <class Read>
  auto looked_up(const Read& read) {
    const std::scoped_lock lock(mutex_);
    try {
      return read();
    } catch (const ExternalError&) {
      return read();
    }
  }
  AddedJobs check_and_add(const NewJobs& jobs);
  [[nodiscard]] JobOwner owner_of(const NewJobs& jobs) const;
  [[nodiscard]] std::string ask_cluster() const;
  // With the errors of past estimates of the jobs' profiles, which may take seconds.
  std::vector<PromiseRefusal> with_records(std::vector<PromiseRefusal> refusals);
  // Jobs get their bounds, so that it is known how long those without promise run.
  AddedJobsRules promising(const NewJobs& jobs);
  std::shared_ptr<const SeenCluster> seen();
  // A daemon listens before it has first looked at the cluster. Gives up after some seconds.
  void wait_until_seen();

  const Context& context_;
  const ServeOptions& options_;
  std::optional<Cluster> cluster_file_;
  LiveBatch batch_;
  LiveBoard& board_;
  std::mutex mutex_, planning_, records_mutex_, cluster_mutex_, seen_mutex_;
  std::timed_mutex testing_;
  std::condition_variable taken_;
  std::shared_ptr<const SeenCluster> seen_;  // null at first
  Store store_;
  WebServer cluster_server_;
  QueueNames queue_names_, tested_names_;
  QueueAccess queue_access_, tested_access_;
  // The ResourceManager's last answer of the cluster, and why it gave none later. One thread asks it.
  std::string cluster_told_, cluster_silence_, cluster_remedy_;
  std::chrono::steady_clock::time_point cluster_told_at_, cluster_asked_;
  bool cluster_asking_ = false;
};

}  // namespace wavewright::app
