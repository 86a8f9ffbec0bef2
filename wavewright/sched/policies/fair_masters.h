// The Fair scheduler's limit on the application masters of a queue [FSLeafQueue: maxAMShare]. Their memory
// stays within a part of the queue's fair share; the first master is exempt. Their cores stay within the same
// part of all free cores, rounded up: a fair share by memory has no cores. Without free cores none starts.
#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wavewright/sched/policies/fair_headroom.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

class FairMasters {
 public:
  explicit FairMasters(double part) : part_(part) {}

  void arrived(JobIndex job, GroupId queue, const View& view);  // waits for its master
  void started(JobIndex job);                                   // its master has a container
  void ended(JobIndex job);                                     // its master has ended
  void lost(JobIndex job);                                      // waits for a new master
  // Caps the masters of waiting jobs. Called when containers start or end and nodes change. O(queues), plus
  // O(waiting jobs) of each queue whose answer changes.
  void review(const FairHeadroom& shares, const View& view, Decisions& decisions);

 private:
  struct Queue {
    Count memory = 0, masters = 0;
    std::vector<JobIndex> waiting;
    std::optional<std::pair<bool, Count>> answer;  // cores suffice, MiB left; none when a job is new
  };
  struct Master {
    GroupId queue = root_group;
    Count memory = 0;
    bool there = false;
    bool allowed = true;
  };
  void wait(JobIndex job, Master& master);
  void leave(Master& master);

  double part_;
  std::map<GroupId, Queue> queues_;
  std::unordered_map<JobIndex, Master> masters_;
};

}  // namespace wavewright
