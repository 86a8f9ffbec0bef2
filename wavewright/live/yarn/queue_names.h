// Names of queues that a job may have, so that one which YARN refuses is told before the job is submitted.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/history/source/server.h"
#include "wavewright/live/yarn/resource_manager.h"

namespace wavewright {

// Throws UsageError, with a suggestion, if no queue has that name: its path, with or without `root.`, or the
// last part of it, as YARN takes them.
void require_queue(const std::vector<Queue>& queues, const std::string& name);

// Throws UsageError with the reason for which the Capacity scheduler refuses a job of that queue: it has no
// such queue and makes none (require_queue); several queues have that last part; others are below it; it is
// stopped. `queues`: as the ResourceManager tells them. O(queues²).
//
// Source: Hadoop 3.4 (CapacityScheduler.addApplication, AbstractLeafQueue.validateSubmitApplication).
void require_open_queue(const Queues& queues, const std::string& name);

// May the Capacity scheduler's placement rules put a job elsewhere than it asks? The two of Hadoop's own
// leave a job alone that names a queue, unless they are told to override it. `conf`: the ResourceManager's
// `/conf`; `url` is for errors. Throws ExternalError if that is no JSON. O(settings).
[[nodiscard]] bool may_place_elsewhere(const std::string& conf, const std::string& url);

// The queues of a ResourceManager. They are asked for when a name is not among those that take jobs, and once
// in ten seconds.
//
// A name is refused where YARN is sure to refuse it. The Capacity scheduler alone does: the Fair scheduler
// makes the queue or takes another, and the FIFO scheduler has one for all. No name is refused where
// placement rules may send a job elsewhere, and where the ResourceManager does not tell. An unknown name and
// a queue with others below it are not refused where a parent makes queues on the fly. Mappings in the
// scheduler's own file that override the queues of jobs (`queue-mappings-override.enable`) are not shown:
// there a job needs no queue.
class QueueNames {
 public:
  // The server must outlive it.
  explicit QueueNames(const WebServer& resource_manager) : resource_manager_(resource_manager) {}

  // Throws UsageError as require_open_queue. After no answer it asks no more for ten seconds.
  void require(const std::string& name);

  // Why YARN may refuse a job of that queue, in one sentence, where that is not sure: the Fair scheduler
  // takes no job in a queue that has others below it, unless its placement rules choose one of these. Else
  // empty.
  [[nodiscard]] std::string doubt(const std::string& name);

  // Where TLS with the ResourceManager failed at the latest question, so that no name was refused: the
  // problem and its remedy. Else empty.
  [[nodiscard]] const std::string& tls_failure() const { return tls_failure_; }

 private:
  void ask();
  [[nodiscard]] bool is_fresh() const;

  const WebServer& resource_manager_;
  std::optional<Queues> told_;
  bool refuses_ = false;  // names by which no queue takes jobs
  std::string tls_failure_;
  std::optional<std::chrono::steady_clock::time_point> asked_;
};

}  // namespace wavewright
