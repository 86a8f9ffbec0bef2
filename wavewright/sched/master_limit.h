// How many of a queue's jobs may have their application masters at once: those whose memory fits into a part
// of what the queue may have; one always. The others wait in their order, and smaller ones behind them may go
// first [CapacityScheduler: maximum-am-resource-percent].
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "wavewright/sched/policy.h"

namespace wavewright {

class MasterLimit {
 public:
  // Most that the queue's masters take together.
  void queue(GroupId queue, Count most) { queues_[queue].most = most; }

  // Whether the job may start now; if not, it waits. O(log queues).
  bool starts(GroupId queue, JobIndex job, Count memory);
  // The job's master is gone: those that may start now. O(those that wait).
  std::vector<JobIndex> ended(JobIndex job);

 private:
  struct Waiting {
    JobIndex job = 0;
    Count memory = 0;
  };
  struct Queue {
    Count most = unlimited;
    Count used = 0;
    std::vector<Waiting> waiting;
  };
  struct Master {
    GroupId queue = root_group;
    Count memory = 0;
  };
  bool fits(const Queue& queue, Count memory) const {
    return queue.used == 0 || queue.used + memory <= queue.most;
  }

  std::map<GroupId, Queue> queues_;
  std::unordered_map<JobIndex, Master> masters_;
};

}  // namespace wavewright
