// Checks that jobs which are submitted with node labels will get containers.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/core/error.h"
#include "wavewright/history/source/server.h"

namespace wavewright {

// A job with a label, or beside labels, would wait for ever, as the ResourceManager itself tells.
class LabelRefused : public ExternalError {
  using ExternalError::ExternalError;
};

// Some tasks of a job run on the nodes with a label; empty = on those without one.
struct LabelUse {
  std::string job;    // id, for messages
  std::string queue;  // empty = YARN's default queue
  std::string label;
};

// A queue of the Capacity scheduler, as to labels.
struct QueueLabels {
  std::string name;                        // path without `root.`
  std::set<std::string> accessible = {};   // labels; `*` = all
  std::map<std::string, double> capacity;  // absolute, in percent, by label; empty = not told
  std::string of_others = {};              // label of the queue's jobs that name none; empty = none
};

// From `/ws/v1/cluster/scheduler`; `url` is for errors. Throws ExternalError if the scheduler is not the
// Capacity scheduler, as no other has labels, and for an answer that is none of a ResourceManager.
[[nodiscard]] std::vector<QueueLabels> parse_queue_labels(std::string_view text, const std::string& url);

// Asks the ResourceManager whether it knows each label, has running nodes for it, and lets the queue use it.
// Throws LabelRefused with the remedy if a job would wait for ever. Returns remarks. `nodes_come`: nodes
// join before the first job, so that there need not be any yet. Queues that are not listed are not judged.
// Asks nothing if no use has a label.
[[nodiscard]] std::vector<std::string> check_label_access(const std::vector<LabelUse>& uses,
                                                          const WebServer& resource_manager, bool nodes_come);

}  // namespace wavewright
