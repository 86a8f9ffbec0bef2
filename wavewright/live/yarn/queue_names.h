// Names of queues that a job may have, so that a misspelt one is refused before the job is submitted.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/history/source/server.h"

namespace wavewright {

// Throws UsageError, with a suggestion, if no queue has that name: its path, with or without `root.`, or the
// last part of it, as YARN takes them.
void require_queue(const std::vector<Queue>& queues, const std::string& name);

// The queues of a ResourceManager. They are asked for when a name is not among those known.
//
// A name is refused where YARN is sure to refuse it. The Capacity scheduler alone does: the Fair scheduler
// makes the queue or takes another, and the FIFO scheduler has one for all. No name is refused where a parent
// makes queues on the fly, where placement rules may send a job elsewhere, and where the ResourceManager does
// not tell. Mappings in the scheduler's own file that override the queues of jobs
// (`queue-mappings-override.enable`) are not shown: there a job needs no queue.
class QueueNames {
 public:
  // The server must outlive it.
  explicit QueueNames(const WebServer& resource_manager) : resource_manager_(resource_manager) {}

  // Throws UsageError as require_queue. After no answer it asks no more for ten seconds.
  void require(const std::string& name);

 private:
  [[nodiscard]] std::optional<std::vector<Queue>> ask() const;

  const WebServer& resource_manager_;
  std::optional<std::vector<Queue>> known_;  // absent = any name may be taken
  std::optional<std::chrono::steady_clock::time_point> asked_;
};

}  // namespace wavewright
