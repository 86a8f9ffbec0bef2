// Containers that jobs have been given under EFH and have not taken yet, and the caps that follow.
#include <algorithm>
#include <utility>

#include "wavewright/energy/efh_jobs.h"

namespace wavewright {

// A task that was sent to the node starts there.
std::optional<TaskIndex> EfhJobs::take(JobIndex job, NodeIndex node) {
  const std::optional<TaskIndex> task = sent_.take(job, node);
  if (!task) return task;
  Waiting& of = *find(job);
  of.maps.sent[*task] = SentTasks::nowhere;
  count_given(of, node, -1);
  starts_now_ = {job, *task};
  return task;
}

// The job has been given `more` containers of the node, which are not free for others.
void EfhJobs::count_given(Waiting& of, NodeIndex node, Count more) {
  containers_.take(node, more);
  of.given[containers_.class_of(node)] += more;
  of.given_in_all += more;
}

// Tasks that were sent to the node are no longer. `goes(Sent)`: whether one is meant.
template <class Goes>
void EfhJobs::revoke_if(NodeIndex node, const View& view, Goes goes) {
  if (!sent_.any(node)) return;
  sent_.revoke(node, goes, [&](JobIndex job, TaskIndex task) {
    Waiting& of = *find(job);
    of.maps.sent[task] = SentTasks::nowhere;
    of.maps.first_waiting = std::min(of.maps.first_waiting, task);
    count_given(of, node, -1);
    note_change(job);
    got_.push_back(job);
  });
  containers_.see(view);
  index_.changed(node, containers_);
}

void EfhJobs::revoke(NodeIndex node, const View& view) {
  revoke_if(node, view, [](const SentTasks::Sent&) { return true; });
}
void EfhJobs::revoke_of(JobIndex job, NodeIndex node, const View& view) {
  revoke_if(node, view, [&](const SentTasks::Sent& each) { return each.job == job; });
}

// The job has been given `more` containers of the class, on any of its nodes.
void EfhJobs::count_given_of_class(Waiting& of, ClassId node_class, Count more) {
  if (!some_avoid_nodes_) containers_.count_given(node_class, more);
  of.given[node_class] += more;
  of.given_in_all += more;
}

// It no longer has `most` of them, or all.
void EfhJobs::revoke_of_class(Waiting& of, ClassId node_class, Count most) {
  const Count less = std::min(of.given[node_class], most);
  if (less == 0) return;
  count_given_of_class(of, node_class, -less);
  forget_enough();
  got_.push_back(of.job);
}

void EfhJobs::revoke_class(ClassId node_class) {
  if (containers_.given_of(node_class) == 0) return;
  for (const std::unique_ptr<Waiting>& of : jobs_) {
    if (of != nullptr) revoke_of_class(*of, node_class, unlimited);
  }
}

// From now on a round replaces what the last one gave out.
void EfhJobs::some_job_avoids_nodes() {
  for (ClassId c = 0; !places_ && !some_avoid_nodes_ && c < containers_.classes(); ++c) revoke_class(c);
  some_avoid_nodes_ = true;
}

// A map has started in a container of the class. Maps that share a slot start together: then the job holds
// fewer containers than it may, and it may have been given none for this one.
void EfhJobs::took_one(JobIndex job, ClassId node_class, const View& view) {
  Waiting* const of = find(job);
  if (of == nullptr) return;
  if (enough_ > 0) forget_enough();
  of->given[node_class] > 0 ? count_given_of_class(*of, node_class, -1) : note_change(job);
  if (view.held(job, Kind::map, node_class) + of->given[node_class] != of->capped[node_class])
    got_.push_back(job);
}

// Tasks that share a slot start together: also one that was sent elsewhere, or to no node.
void EfhJobs::started_there(JobIndex job, TaskIndex map, const View& view) {
  const Waiting* const of = find(job);
  if (std::exchange(starts_now_, std::nullopt) == std::pair(job, map) || of == nullptr) return;
  if (!of->maps.is_sent(map)) return note_change(job);
  revoke_if(of->maps.sent[map], view,
            [&](const SentTasks::Sent& each) { return each.job == job && each.task == map; });
}

// A round begins: energy/efh.h says which containers it may give out anew.
void EfhJobs::revoke_fresh(const View& view) {
  if (!places_ && some_avoid_nodes_) {
    for (const JobIndex job : got_) {
      Waiting* const of = find(job);
      if (of == nullptr) continue;
      std::fill(of->given.begin(), of->given.end(), 0);
      of->given_in_all = 0;
    }
    return;
  }
  if (!places_) {
    for (const FreshGrant& each : fresh_grants_) {
      Waiting* const of = find(each.job);
      if (of != nullptr && fresh_at_ == view.now())
        revoke_of_class(*of, each.grant.node_class, each.grant.containers);
    }
    fresh_grants_.clear();
    return;
  }
  if (fresh_at_ == view.now()) {
    const auto is_fresh = [&](const SentTasks::Sent& each) { return each.at == view.now(); };
    for (const NodeIndex node : fresh_) revoke_if(node, view, is_fresh);
  }
  fresh_.clear();
}

// The jobs that got something in this round, and those from which something was taken.
void EfhJobs::limit_all(const View& view, Decisions& decisions) {
  had_.clear();
  std::swap(had_, got_);
  for (const Turn& turn : turns_) {
    if (turn.first == turn.end) continue;
    got_.push_back(turn.of->job);
    places_ ? send_tasks(turn, view) : give_classes(turn, view);
    limit(*turn.of, view, decisions);
  }
  for (const JobIndex job : had_) limit_to_held(job, view, decisions);
}

// A job that got nothing in this round may have what it has, and what it was given.
void EfhJobs::limit_to_held(JobIndex job, const View& view, Decisions& decisions) {
  if (job >= closed_.size() || closed_[job] == 1) return;
  Waiting* const of = find(job);
  if (of != nullptr) limit(*of, view, decisions);
}

// By class: the job may have what it has and what it was given. A job whose maps have all started may have
// nothing more anywhere, so that its caps need not follow its holdings.
void EfhJobs::limit(Waiting& of, const View& view, Decisions& decisions) {
  const bool close = of.wanted() == 0 && of.given_in_all == 0;
  if (std::exchange(closed_[of.job], close ? 1 : 0) == 1 && close) return;
  for (ClassId c = 0; c < of.given.size(); ++c) {
    if (of.given[c] == 0 && of.capped[c] == 0) continue;  // it may start nothing there as it is
    const Count cap = close ? 0 : view.held(of.job, Kind::map, c) + of.given[c];
    if (cap == of.capped[c]) continue;
    of.capped[c] = cap;
    decisions.cap(of.job, Kind::map, c, cap);
  }
}

void EfhJobs::give_classes(const Turn& turn, const View& view) {
  if (!by_class_) {
    for (const Grant& each : grants_of(turn))
      count_given_of_class(*turn.of, containers_.class_of(each.node), each.containers);
    return;
  }
  fresh_at_ = view.now();
  for (std::size_t i = turn.first; i < turn.end; ++i) {
    count_given_of_class(*turn.of, class_grants_[i].node_class, class_grants_[i].containers);
    fresh_grants_.push_back({turn.of->job, class_grants_[i]});
  }
}

void EfhJobs::send_tasks(const Turn& turn, const View& view) {
  fresh_at_ = view.now();
  for (const Dispatched& each : sent_.send(turn.of->maps, grants_of(turn), view)) {
    count_given(*turn.of, each.node, 1);
    index_.changed(each.node, containers_);
    fresh_.push_back(each.node);
  }
}

}  // namespace wavewright
