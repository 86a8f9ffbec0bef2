// The thread that holds a live batch to what was expected of it (live/outlook/feedback.h): so neither an
// application master that does not answer nor a long forecast delays the jobs.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "apps/commands/profile_lengths.h"
#include "apps/context.h"
#include "wavewright/history/source/server.h"
#include "wavewright/live/batch/batch_driver.h"
#include "wavewright/live/outlook/feedback.h"
#include "wavewright/live/promise/promises.h"
#include "wavewright/live/yarn/lost_nodes.h"
#include "wavewright/live/yarn/resource_manager.h"
#include "wavewright/store/store.h"

namespace wavewright::app {

struct FeedbackRequest {
  std::string batch;             // its name
  std::string resource_manager;  // web address
  std::string ca_file;
  std::optional<Cluster> cluster = std::nullopt;  // absent = as the ResourceManager tells
  std::string policy = {};                        // the cluster's own scheduler; empty = by its queues
  std::size_t most_at_once = 0;
  bool promises = false;  // deadlines are promised: jobs are read oftener, and no master is waited for
  // The plug-in is told the ranks of jobs: after a drift those on the cluster without tasks are ordered anew,
  // too.
  bool ranks_told = false;
  std::optional<double> slowstart = std::nullopt;  // of the jobs; absent = the cluster's own
};

class LiveFeedback {
 public:
  // Opens the store by itself, for it is a thread's own.
  LiveFeedback(const Context& context, FeedbackRequest request);
  // Ends the thread.
  ~LiveFeedback();
  LiveFeedback(const LiveFeedback&) = delete;
  LiveFeedback& operator=(const LiveFeedback&) = delete;
  LiveFeedback(LiveFeedback&&) = delete;
  LiveFeedback& operator=(LiveFeedback&&) = delete;

  // Jobs that were read or written, and those that left the batch. The first call gives the batch, too.
  void take(const LiveBatch& batch, const std::vector<LiveJob>& changed, const std::vector<LiveJob>& left);
  // The latest readings of progress, where deadlines are promised.
  [[nodiscard]] std::shared_ptr<const ProgressByJob> progress();
  // The latest forecast; null at first.
  [[nodiscard]] std::shared_ptr<const Outlook> outlook();
  // Jobs by id that are not to be read until the next call.
  void leave_out(std::set<std::string> jobs);
  // The batch as far as it was taken.
  [[nodiscard]] LiveBatch snapshot();
  // Hands what was found since the last call to the driver. Returns the latest outlook if it is new, else
  // null.
  [[nodiscard]] std::shared_ptr<const Outlook> give(BatchDriver& driver);

 private:
  void work();
  void round(const Store& store, const ProfileLengths& profiles, ProgressFeedback& feedback,
             const WebServer& server);
  void look_at_nodes(const WebServer& server);
  void keep_promises(const Store& store, const LiveBatch& batch);

  const Context& context_;
  FeedbackRequest request_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> stopped_{false};  // ends requests, too
  bool ends_ = false;
  LiveBatch batch_;  // guarded, as the next seven
  std::map<std::string, std::size_t> places_;
  std::set<std::string> kept_;  // jobs whose promise needs no more keeping in the store
  std::set<std::string> left_out_;
  FeedbackNews news_;
  std::shared_ptr<const Outlook> outlook_;  // that `give` has not handed out
  std::shared_ptr<const Outlook> latest_outlook_;
  std::shared_ptr<const ProgressByJob> progress_ = std::make_shared<const ProgressByJob>();
  // The thread's own.
  std::optional<Cluster> found_;
  std::string found_scheduler_ = "capacity";
  Duration found_at_{}, next_look_{}, next_nodes_{};
  LostNodes nodes_;
  std::map<std::string, Time> started_;  // first tasks of jobs that ran, by id
  std::thread thread_;
};

}  // namespace wavewright::app
