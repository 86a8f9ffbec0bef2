// Hadoop's own rule of locality: a node takes maps of the first job whose blocks it holds, as many as it has
// slots. If the first job has none, it takes one other map of that job, and no more maps at this heartbeat
// [UNL §4.1; Hadoop 1, JobQueueTaskScheduler.assignTasks]. The first job is the first in the allocator's
// order that has a map for the node.
//
// UNL counts only the block's node as local. Hadoop 1 counts its rack, too (`local=rack`).
#pragma once

#include <memory>

#include "wavewright/sched/registry.h"

namespace wavewright {

struct OneNonLocalOptions {
  Locality local = Locality::node;  // the farthest that counts as local: node or rack
};

// O(jobs that may not start on the node) an offer.
[[nodiscard]] std::unique_ptr<Placer> make_one_non_local(const OneNonLocalOptions& options);
[[nodiscard]] PolicyEntry one_non_local_entry();

}  // namespace wavewright
