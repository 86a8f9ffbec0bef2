// Headroom that the Fair scheduler reports to application masters: at most what their queue's fair share
// leaves, even in an empty cluster [FairScheduler: FSAppAttempt.getHeadroom]. It limits how many reduces a
// master asks for while its maps wait.
//
// A parent's fair share is divided among its child queues that have jobs: by weight, at least their minimum.
#pragma once

#include <map>
#include <unordered_map>

#include "wavewright/sched/policies/fair_shares.h"

namespace wavewright {

class FairHeadroom {
 public:
  void queue(GroupId queue, GroupId parent, const Share& share) { queues_[queue] = {parent, share, 0, 0}; }

  // O(active queues · queues) when a queue gets its first job or loses its last one, else O(depth).
  void arrived(JobIndex job, GroupId queue, const View& view, Decisions& decisions);
  void finished(JobIndex job, const View& view, Decisions& decisions);
  // The queue's share in MiB, as of its last change.
  [[nodiscard]] Count share_of(GroupId queue) const { return queues_.at(queue).amount; }

 private:
  struct Queue {
    GroupId parent = root_group;
    Share share;
    Count jobs = 0;    // unfinished, in it and below
    Count amount = 0;  // fair share in MiB, while it has jobs
  };

  // True if a queue became active or inactive.
  bool count(GroupId queue, Count by);
  void share_out(GroupId parent, Count memory, Decisions& decisions);
  void share_out(const View& view, Decisions& decisions);

  std::map<GroupId, Queue> queues_;
  std::unordered_map<JobIndex, GroupId> queue_of_;
};

}  // namespace wavewright
