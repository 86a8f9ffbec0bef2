#include "wavewright/energy/optset_index.h"

#include <algorithm>
#include <utility>

namespace wavewright {

void OptsetIndex::begin(const FreeContainers& containers) {
  on_node_.assign(containers.nodes(), {});
  free_.assign(containers.nodes(), 0);
  entries_ = 0;
  by_best_class_.assign(containers.classes(), {});
  without_blocks_ = 0;
  some_.clear();
  rest_.clear();
}

void OptsetIndex::watch(Job& job, Count asked, const FreeContainers& containers) {
  const bool same_nodes = job.asked > 0 && job.version_ == containers.version();
  if (same_nodes && asked == job.asked) return;
  if (same_nodes && asked < job.asked && !job.rest_) return shrink(job, asked);
  forget(job);
  job.asked = asked;
  job.version_ = containers.version();
  if (!job.ranking.avoided().empty()) {
    job.rest_ = true;
    rest_.emplace(job.arrival, &job);
    return;
  }
  if (!job.ranking.has_data() && job.ranking.best_class()) {
    WithoutBlocks& like_it = by_best_class_[*job.ranking.best_class()];
    job.place_of_class_ = like_it.jobs.size();
    like_it.jobs.push_back(&job);
    ++without_blocks_;
    like_it.most = std::max(like_it.most, asked);
    return;
  }
  Count in_shares = 0;
  job.shares_ = job.ranking.optset_of_data(containers, asked);
  for (const Grant& share : job.shares_) {
    recount(share.node, containers.free(share.node));
    on_node_[share.node].push_back({&job, share.containers});
    ++entries_;
    in_shares += share.containers;
    add(job, std::min(share.containers, free_[share.node]));
  }
  job.rest_ = in_shares < asked;
  if (job.rest_) rest_.emplace(job.arrival, &job);
}

// The optset loses its last containers.
void OptsetIndex::shrink(Job& job, Count asked) {
  Count more = job.asked - asked;
  job.asked = asked;
  while (more > 0 && !job.shares_.empty()) {
    Grant& last = job.shares_.back();
    const Count less = std::min(more, last.containers);
    set_share(job, last, last.containers - less);
    more -= less;
    last.containers -= less;
    if (last.containers == 0) job.shares_.pop_back();
  }
}

// The node's containers in the job's optset are now so many.
void OptsetIndex::set_share(Job& job, const Grant& share, Count now) {
  std::vector<Entry>& there = on_node_[share.node];
  const auto entry =
      std::find_if(there.begin(), there.end(), [&](const Entry& each) { return each.job == &job; });
  const Count free = free_[share.node];
  add(job, std::min(free, now) - std::min(free, share.containers));
  entry->most = now;
  if (now > 0) return;
  *entry = there.back();
  there.pop_back();
  --entries_;
}

void OptsetIndex::forget(Job& job) {
  if (job.asked == 0) return;
  for (const Grant& share : job.shares_)
    entries_ -= std::erase_if(on_node_[share.node], [&](const Entry& entry) { return entry.job == &job; });
  job.shares_.clear();
  if (job.place_ != Job::nowhere) add(job, -some_[job.place_].free);
  if (job.place_of_class_ != Job::nowhere) {
    std::vector<Job*>& like_it = by_best_class_[*job.ranking.best_class()].jobs;
    like_it.back()->place_of_class_ = job.place_of_class_;
    like_it[job.place_of_class_] = like_it.back();
    like_it.pop_back();
    --without_blocks_;
    job.place_of_class_ = Job::nowhere;
  }
  if (job.rest_) rest_.erase({job.arrival, &job});
  job.rest_ = false;
  job.asked = 0;
}

void OptsetIndex::add(Job& job, Count free) {
  if (free == 0) return;
  if (job.place_ == Job::nowhere) {
    job.place_ = some_.size();
    some_.push_back({&job, 0});
  }
  some_[job.place_].free += free;
  if (some_[job.place_].free > 0) return;
  some_.back().job->place_ = job.place_;
  some_[job.place_] = some_.back();
  some_.pop_back();
  job.place_ = Job::nowhere;
}

bool OptsetIndex::concerns(NodeIndex node, const FreeContainers& containers) const {
  if (!rest_.empty() || !on_node_[node].empty()) return true;
  if (without_blocks_ == 0) return false;
  const ClassId its_class = containers.class_of(node);
  for (ClassId c = 0; c < by_best_class_.size(); ++c) {
    const WithoutBlocks& like_it = by_best_class_[c];
    if (like_it.jobs.empty()) continue;
    if (like_it.most > containers.of(c).whole) return true;  // such an optset goes on in other classes
    if (c == its_class && containers.whole_before(c, containers.position(node)) < like_it.most) return true;
  }
  return false;
}

void OptsetIndex::recount(NodeIndex node, Count after) {
  const Count before = std::exchange(free_[node], after);
  if (after == before) return;
  for (const Entry& entry : on_node_[node])
    add(*entry.job, std::min(after, entry.most) - std::min(before, entry.most));
}

void OptsetIndex::count(const FreeContainers& containers, Job& job, std::vector<Counted>& into) const {
  if (const Count free = job.ranking.free_in_optset(containers, job.asked); free > 0)
    into.push_back({&job, free});
}

void OptsetIndex::count_anew(const FreeContainers& containers, std::vector<Counted>& into) {
  for (const auto& [arrival, job] : rest_) count(containers, *job, into);
  if (without_blocks_ == 0) return;
  for (ClassId c = 0; c < by_best_class_.size(); ++c) count_without_blocks(containers, c, into);
}

// Of jobs whose best class it is: a job has the class's first R containers.
void OptsetIndex::count_without_blocks(const FreeContainers& containers, ClassId node_class,
                                       std::vector<Counted>& into) {
  WithoutBlocks& all = by_best_class_[node_class];
  if (all.jobs.empty()) return;
  const FreeContainers::Class& of = containers.of(node_class);
  first_free_.clear();
  Count free = 0;
  containers.each_open(node_class, [&](NodeIndex node) {
    const Count before = containers.whole_before(node_class, containers.position(node));
    if (before >= all.most) return false;
    first_free_.push_back({before, containers.free(node), free});
    free += containers.free(node);
    return true;
  });
  if (first_free_.empty() && all.most <= of.whole) return;
  all.most = 0;
  for (Job* const job : all.jobs) {
    all.most = std::max(all.most, job->asked);
    if (job->asked > of.whole) {
      count(containers, *job, into);
      continue;
    }
    const auto behind = std::partition_point(first_free_.begin(), first_free_.end(),
                                             [&](const FreeNode& node) { return node.before < job->asked; });
    if (behind == first_free_.begin()) continue;
    const FreeNode& last = *(behind - 1);
    into.push_back({job, last.free_before + std::min(last.free, job->asked - last.before)});
  }
}

}  // namespace wavewright
