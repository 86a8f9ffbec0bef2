#include "wavewright/energy/optset_index.h"

#include <algorithm>

namespace wavewright {

void OptsetIndex::begin(const FreeContainers& containers) {
  on_node_.assign(containers.nodes(), {});
  by_best_class_.assign(containers.classes(), {});
  some_.clear();
  rest_.clear();
}

void OptsetIndex::watch(Job& job, Count asked, const FreeContainers& containers) {
  forget(job);
  job.asked = asked;
  for (const Grant& share : job.ranking.optset_of_data(containers, asked)) {
    on_node_[share.node].push_back({&job, share.containers});
    job.nodes_.push_back(share.node);
    add(job, std::min(share.containers, containers.free(share.node)));
  }
  job.without_blocks_ = !job.ranking.has_data() && job.ranking.best_class().has_value();
  job.rest_ = !job.without_blocks_ && asked > job.ranking.whole_of_data(containers);
  if (job.without_blocks_) by_best_class_[*job.ranking.best_class()].emplace(asked, &job);
  if (job.rest_) rest_.emplace(job.arrival, &job);
}

void OptsetIndex::forget(Job& job) {
  if (job.asked == 0) return;
  for (const NodeIndex node : job.nodes_)
    std::erase_if(on_node_[node], [&](const Entry& entry) { return entry.job == &job; });
  job.nodes_.clear();
  add(job, -job.free_);
  if (job.without_blocks_) by_best_class_[*job.ranking.best_class()].erase({job.asked, &job});
  if (job.rest_) rest_.erase({job.arrival, &job});
  job.asked = 0;
}

void OptsetIndex::add(Job& job, Count free) {
  if (free == 0) return;
  if (job.free_ == 0) {
    job.place_ = some_.size();
    some_.push_back(&job);
  }
  job.free_ += free;
  if (job.free_ > 0) return;
  some_[job.place_] = some_.back();
  some_[job.place_]->place_ = job.place_;
  some_.pop_back();
}

void OptsetIndex::changed(NodeIndex node, Count before, const FreeContainers& containers) {
  const Count after = containers.free(node);
  if (after == before) return;
  for (const Entry& entry : on_node_[node])
    add(*entry.job, std::min(after, entry.most) - std::min(before, entry.most));
}

// Containers of the class that stand before the first free one; all of them if none is free.
Count OptsetIndex::before_first_free(const FreeContainers& containers, ClassId node_class) {
  const FreeContainers::Class& of = containers.of(node_class);
  if (of.open.empty()) return of.whole;
  return containers.whole_before(node_class, containers.position(*of.open.begin()));
}

std::vector<OptsetIndex::Counted> OptsetIndex::counted(const FreeContainers& containers) const {
  std::vector<Counted> found;
  for (Job* const job : some_) {
    if (!job->rest_) found.push_back({job, job->free_});
  }
  const auto count = [&](Job& job) {
    if (const Count free = job.ranking.free_in_optset(containers, job.asked); free > 0)
      found.push_back({&job, free});
  };
  for (const auto& [arrival, job] : rest_) count(*job);
  for (ClassId c = 0; c < by_best_class_.size(); ++c) {
    const auto& jobs = by_best_class_[c];
    if (jobs.empty()) continue;
    const Count before = before_first_free(containers, c);
    for (auto each = jobs.rbegin(); each != jobs.rend() && each->first > before; ++each) count(*each->second);
  }
  return found;
}

}  // namespace wavewright
