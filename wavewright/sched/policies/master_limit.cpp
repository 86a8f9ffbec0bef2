#include "wavewright/sched/policies/master_limit.h"

#include <algorithm>

namespace wavewright {

bool MasterLimit::starts(GroupId queue, JobIndex job, Count memory) {
  Queue& of = queues_[queue];
  if (!fits(of, memory)) {
    of.waiting.push_back({job, memory});
    return false;
  }
  of.used += memory;
  masters_[job] = {queue, memory};
  return true;
}

std::vector<JobIndex> MasterLimit::ended(JobIndex job) {
  const auto found = masters_.find(job);
  if (found == masters_.end()) return {};
  const Master gone = found->second;
  masters_.erase(found);
  Queue& of = queues_.at(gone.queue);
  of.used -= gone.memory;
  std::vector<JobIndex> started;
  std::erase_if(of.waiting, [&](const Waiting& each) {
    if (!fits(of, each.memory)) return false;
    of.used += each.memory;
    masters_[each.job] = {gone.queue, each.memory};
    started.push_back(each.job);
    return true;
  });
  return started;
}

}  // namespace wavewright
