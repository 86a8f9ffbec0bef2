#include "wavewright/sched/policies/fair_headroom.h"

namespace wavewright {

bool FairHeadroom::count(GroupId queue, Count by) {
  bool changed = false;
  for (; queue != root_group; queue = queues_.at(queue).parent) {
    Count& jobs = queues_.at(queue).jobs;
    const bool before = jobs > 0;
    jobs += by;
    changed = changed || before != (jobs > 0);
  }
  return changed;
}

void FairHeadroom::arrived(JobIndex job, GroupId queue, const View& view, Decisions& decisions) {
  queue_of_[job] = queue;
  if (count(queue, 1)) share_out(view, decisions);
}

void FairHeadroom::finished(JobIndex job, const View& view, Decisions& decisions) {
  const auto found = queue_of_.find(job);
  if (found == queue_of_.end()) return;
  if (count(found->second, -1)) share_out(view, decisions);
  queue_of_.erase(found);
}

void FairHeadroom::share_out(const View& view, Decisions& decisions) {
  share_out(root_group, view.capacity(any_class).map_slots, decisions);
}

void FairHeadroom::share_out(GroupId parent, Count memory, Decisions& decisions) {
  std::vector<GroupId> active;
  std::vector<Claim> claims;
  for (const auto& [id, queue] : queues_) {
    if (queue.parent != parent || queue.jobs == 0) continue;
    active.push_back(id);
    claims.push_back({queue.share, unlimited});
  }
  const std::vector<double> shares = fair_shares(claims, memory);
  for (std::size_t i = 0; i < active.size(); ++i) {
    const auto share = static_cast<Count>(shares[i]);
    queues_.at(active[i]).amount = share;
    decisions.group(active[i], parent, {share, share}, {});
    share_out(active[i], share, decisions);
  }
}

}  // namespace wavewright
