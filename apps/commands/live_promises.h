// The thread that looks each half second whether the promises of a live batch will be kept: which nodes are
// silent, what is left of the promised jobs, by when they surely end.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "apps/commands/live_feedback.h"
#include "wavewright/cluster/cluster.h"
#include "wavewright/history/source/server.h"
#include "wavewright/live/batch/batch_driver.h"
#include "wavewright/live/promise/node_watch.h"
#include "wavewright/live/promise/promises.h"

namespace wavewright::app {

struct PromiseWatch {
  std::string resource_manager;  // web address
  std::string ca_file;
  Cluster cluster;  // on whose slots deadlines are promised
};

class LivePromises {
 public:
  // The feedback must outlive it.
  LivePromises(PromiseWatch watch, LiveFeedback& feedback);
  // Ends the thread.
  ~LivePromises();
  LivePromises(const LivePromises&) = delete;
  LivePromises& operator=(const LivePromises&) = delete;
  LivePromises(LivePromises&&) = delete;
  LivePromises& operator=(LivePromises&&) = delete;

  // Hands what was found since the last call to the driver, whose next step writes it.
  void give(BatchDriver& driver);
  // Waits at most so long until there is something to give; true if there is.
  [[nodiscard]] bool wait_for_news(std::chrono::milliseconds at_most);
  // How the cluster stands; null until all of its nodes were looked at.
  [[nodiscard]] std::shared_ptr<const SeenCluster> seen();

 private:
  struct BatchEvent {
    const char* what;
    std::string detail;
  };

  void work();
  void list_nodes();
  void round(NodeWatch& nodes);

  PromiseWatch watch_;
  LiveFeedback& feedback_;
  std::mutex mutex_;
  std::condition_variable changed_, found_;
  std::atomic<bool> stopped_{false};  // ends requests, too
  bool ends_ = false;
  std::shared_ptr<const SeenCluster> seen_;  // guarded, as the next two
  std::vector<BatchEvent> events_;
  std::vector<FoundRisk> risks_;
  // The thread's own.
  WebServer server_;
  std::vector<WatchedNode> listed_;
  bool has_list_ = false;  // YARN has told its nodes
  Duration listed_at_{};
  std::future<std::vector<WatchedNode>> listing_;  // a slow ResourceManager holds up no look at the nodes
  std::thread thread_;
};

}  // namespace wavewright::app
