// Which jobs of a queue may start their application masters under the Fair scheduler: those with whose memory
// the queue's masters keep to a part of its fair share, and with whose cores to the same part of all cores
// that are free, rounded up [FSLeafQueue: maxAMShare; a fair share by memory has no cores, so that it takes
// those that are free]. Where all cores are in use, no second master of a queue starts. Asked anew whenever a
// container starts or ends and a node comes or goes; a queue without masters may always have one, as far as
// memory goes.
#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wavewright/sched/fair_headroom.h"
#include "wavewright/sched/policy.h"

namespace wavewright {

class FairMasters {
 public:
  explicit FairMasters(double part) : part_(part) {}

  void arrived(JobIndex job, GroupId queue, const View& view);  // it waits for its master
  void started(JobIndex job);                                   // its master has a container
  void ended(JobIndex job);                                     // and gives it back
  void lost(JobIndex job);                                      // and waits for another
  // Caps the masters of those that wait. O(queues with such), and O(those) of a queue where the answer
  // changes.
  void review(const FairHeadroom& shares, const View& view, Decisions& decisions);

 private:
  struct Queue {
    Count memory = 0, masters = 0;
    std::vector<JobIndex> waiting;
    std::optional<std::pair<bool, Count>> answer;  // cores suffice, and memory left; none where a job is new
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
