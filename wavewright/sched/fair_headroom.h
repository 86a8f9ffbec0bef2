// What the Fair scheduler tells application masters that there is room for: no more than their queue's fair
// share leaves, be the cluster as empty as it may [FairScheduler: FSAppAttempt.getHeadroom]. A master that
// waits for maps asks for reduces as that allows.
//
// A queue's fair share is its part by weight, its minimum at least, of its parent's, among the queues that
// have jobs.
#pragma once

#include <map>
#include <unordered_map>

#include "wavewright/sched/fair_shares.h"

namespace wavewright {

class FairHeadroom {
 public:
  void queue(GroupId queue, GroupId parent, const Share& share) { queues_[queue] = {parent, share, 0, 0}; }

  // O(queues · log), where a queue gets its first job or loses its last one.
  void arrived(JobIndex job, GroupId queue, const View& view, Decisions& decisions);
  void finished(JobIndex job, const View& view, Decisions& decisions);
  // What the queue's share was when it last changed, MiB.
  [[nodiscard]] Count share_of(GroupId queue) const { return queues_.at(queue).amount; }

 private:
  struct Queue {
    GroupId parent = root_group;
    Share share;
    Count jobs = 0;    // in it and below, not over
    Count amount = 0;  // MiB, while it has some
  };

  // True where a queue became active, or ceased to be.
  bool count(GroupId queue, Count by);
  void share_out(GroupId parent, Count memory, Decisions& decisions);
  void share_out(const View& view, Decisions& decisions);

  std::map<GroupId, Queue> queues_;
  std::unordered_map<JobIndex, GroupId> queue_of_;
};

}  // namespace wavewright
