// The Capacity scheduler's limit on the application masters of a queue: their memory stays within a part of
// the queue's maximum; the first master is exempt. Other jobs wait in order, and a smaller one may pass a
// larger one [CapacityScheduler: maximum-am-resource-percent].
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "wavewright/sched/policy.h"

namespace wavewright {

class MasterLimit {
 public:
  // `most`: memory in MiB for all masters of the queue.
  void queue(GroupId queue, Count most) { queues_[queue].most = most; }

  // True if the job may start now; if not, it waits. O(log queues).
  bool starts(GroupId queue, JobIndex job, Count memory);
  // The job's master has ended. Returns the jobs that may start now. O(waiting jobs).
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
