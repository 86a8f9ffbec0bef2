#include "wavewright/sched/policies/fair_masters.h"

#include <algorithm>
#include <cmath>

namespace wavewright {

void FairMasters::arrived(JobIndex job, GroupId queue, const View& view) {
  Master& master = masters_[job];
  master = {.queue = queue, .memory = view.size(job, Kind::master)};
  wait(job, master);
}

void FairMasters::wait(JobIndex job, Master& master) {
  Queue& queue = queues_[master.queue];
  queue.waiting.push_back(job);
  queue.answer.reset();
}

void FairMasters::started(JobIndex job) {
  Master& master = masters_.at(job);
  Queue& queue = queues_[master.queue];
  std::erase(queue.waiting, job);
  queue.memory += master.memory;
  ++queue.masters;
  master.there = true;
}

void FairMasters::leave(Master& master) {
  if (!master.there) return;
  Queue& queue = queues_[master.queue];
  queue.memory -= master.memory;
  --queue.masters;
  master.there = false;
}

void FairMasters::ended(JobIndex job) {
  const auto found = masters_.find(job);
  if (found == masters_.end()) return;
  leave(found->second);
  masters_.erase(found);
}

void FairMasters::lost(JobIndex job) {
  Master& master = masters_.at(job);
  leave(master);
  wait(job, master);
}

void FairMasters::review(const FairHeadroom& shares, const View& view, Decisions& decisions) {
  const auto part_of = [this](Count whole) {
    return whole >= unlimited
               ? unlimited
               : static_cast<Count>(std::ceil(static_cast<double>(std::max<Count>(0, whole)) * part_));
  };
  const Cores cores = view.cores();
  const Count most_cores = part_of(cores.free);
  for (auto& [id, queue] : queues_) {
    if (queue.waiting.empty()) continue;
    const bool enough = (queue.masters + 1) * cores.of_master <= most_cores;
    const Count left = queue.masters == 0 ? unlimited : part_of(shares.share_of(id)) - queue.memory;
    const std::pair answer(enough, left);
    if (queue.answer == answer) continue;
    queue.answer = answer;
    for (const JobIndex job : queue.waiting) {
      Master& master = masters_.at(job);
      const bool allowed = enough && master.memory <= left;
      if (allowed == master.allowed) continue;
      master.allowed = allowed;
      decisions.cap(job, Kind::master, any_class, allowed ? 1 : 0);
    }
  }
}

}  // namespace wavewright
