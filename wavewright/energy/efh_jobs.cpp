#include "wavewright/energy/efh_jobs.h"

#include <algorithm>

#include "wavewright/energy/relevance.h"

namespace wavewright {

namespace {

// Those that have waited, then the others; most r = free / R first, then by arrival.
bool goes_before(const OptsetIndex::Counted& a, const OptsetIndex::Counted& b) {
  if (a.job->waited != b.job->waited) return a.job->waited;
  const Count more = a.free * b.job->asked, less = b.free * a.job->asked;
  return more != less ? more > less : a.job->arrival < b.job->arrival;
}

bool goes_behind(const OptsetIndex::Counted& a, const OptsetIndex::Counted& b) {
  return goes_before(b, a);
}

}  // namespace

void EfhJobs::begin(const View& view) {
  containers_.begin(view);
  index_.begin(containers_);
  version_ = containers_.version();
  sent_.begin(view.nodes());
}

std::optional<Time> EfhJobs::add(JobIndex job, Time arrived, const View& view) {
  if (view.facts(job).maps == 0) return std::nullopt;
  (void)remove(job, view);
  if (job >= jobs_.size()) {
    jobs_.resize(std::size_t{job} + 1);
    closed_.resize(jobs_.size());
  }
  closed_[job] = 0;
  const auto patience = options_.threshold ? std::optional(arrived + *options_.threshold) : std::nullopt;
  jobs_[job] = std::make_unique<Waiting>(job, arrivals_++, rank(job, view), patience, view.classes());
  jobs_[job]->maps.job = job;
  jobs_[job]->maps.count = static_cast<TaskIndex>(view.facts(job).maps);
  if (!options_.clamp) unnamed_.insert(job);
  if (arrived < view.now()) avoid_known(*jobs_[job], view);
  note_change(job);
  return patience;
}

// After a restart: the nodes that the job avoids already.
void EfhJobs::avoid_known(Waiting& of, const View& view) {
  for (NodeIndex node = 0; node < containers_.nodes(); ++node) {
    if (view.blacklisted(of.job, node) && of.ranking.avoid(node)) some_job_avoids_nodes();
  }
}

bool EfhJobs::remove(JobIndex job, const View& view) {
  Waiting* const of = find(job);
  if (of == nullptr) return false;
  if (places_ && of->given_in_all > 0) {
    for (NodeIndex node = 0; node < containers_.nodes(); ++node) revoke_of(job, node, view);
  }
  for (ClassId c = 0; !places_ && c < of->given.size(); ++c) revoke_of_class(*of, c, unlimited);
  leave_queues(*of);
  std::erase(got_, job);
  unnamed_.erase(job);
  jobs_[job].reset();
  return true;
}

void EfhJobs::note_change(JobIndex job) {
  forget_enough();
  Waiting* const of = find(job);
  if (of == nullptr || std::exchange(of->changed, true)) return;
  changed_.push_back(job);
}

void EfhJobs::node_changed(NodeIndex node, const View& view) {
  forget_enough();
  containers_.refresh(node, view);
  revoke(node, view);
  revoke_class(containers_.class_of(node));
  note_containers(node, view);
}

// Other containers of the node may be free than before.
void EfhJobs::note_containers(NodeIndex node, const View& view) {
  if (enough_ > 0 && index_.concerns(node, containers_)) forget_enough();
  if (!index_.counts(node)) return;
  containers_.see(view);
  index_.changed(node, containers_);
}

// An end leaves as many maps to start as there were; a loss does not.
void EfhJobs::lost(const Event& event, const View& view) {
  note_change(event.job);
  containers_.refresh(event.node, view);  // it may be leaving
  if (containers_.whole(event.node) == 0) {
    revoke(event.node, view);
    revoke_class(containers_.class_of(event.node));
  }
  if (Waiting* const of = find(event.job))
    of->maps.first_waiting = std::min(of->maps.first_waiting, event.task);
}

// Its optset changes, too.
bool EfhJobs::avoids_more(const Event& event, const View& view) {
  Waiting* const of = find(event.job);
  if (of == nullptr || !view.blacklisted(event.job, event.node) || !of->ranking.avoid(event.node))
    return false;
  some_job_avoids_nodes();
  of->whole_at = ~std::uint64_t{0};
  revoke_of(event.job, event.node, view);
  index_.forget(*of);
  note_change(event.job);
  return true;
}

// Notes the wishes of all jobs, and those whose wait is over.
void EfhJobs::update(const View& view) {
  if (version_ != containers_.version()) {
    version_ = containers_.version();
    for (const Queue* const queue : {&waited_, &regular_}) {
      for (const auto& [arrival, of] : *queue) note_change(of->job);
    }
  }
  for (const JobIndex job : got_) note_change(job);
  for (const JobIndex job : changed_) {
    if (Waiting* const of = find(job)) update(*of, view);
  }
  changed_.clear();
  while (!impatient_.empty() && impatient_.begin()->first <= view.now()) {
    forget_enough();
    const auto moved = waited_.insert(regular_.extract(impatient_.begin()->second));
    moved.position->second->waited = true;
    impatient_.erase(impatient_.begin());
  }
}

void EfhJobs::update(Waiting& of, const View& view) {
  of.changed = false;
  of.wants = std::max<Count>(0, not_given(of, view));  // a job that fails has no map pending
  if (of.wants == 0) {
    leave_queues(of);
    of.ranking.forget_blocks();
    of.maps.by_node.reset();
    of.shed = true;
    return;
  }
  closed_[of.job] = 0;
  if (std::exchange(of.shed, false)) rank_anew(of, view);
  if (!std::exchange(of.unwatched, true)) unwatched_.push_back(of.job);
  if (!options_.adaptive && !of.named && of.ranking.whole(containers_) == 0) unnamed_.insert(of.job);
  if (std::exchange(of.queued, true)) return;
  of.waited = false;
  regular_.emplace(of.arrival, &of);
  if (of.patience) impatient_.emplace(*of.patience, of.arrival);
}

Ranking EfhJobs::rank(JobIndex job, const View& view) const {
  return Ranking(view, job, relevant_classes(view, job, options_.adaptive), places_);
}

// The order of an earlier ranking that has forgotten the blocks.
void EfhJobs::rank_anew(Waiting& of, const View& view) const {
  Ranking anew = rank(of.job, view);
  for (const NodeIndex node : of.ranking.avoided()) anew.avoid(node);
  of.ranking = std::move(anew);
}

void EfhJobs::leave_queues(Waiting& of) {
  if (!std::exchange(of.queued, false)) return;
  forget_enough();
  index_.forget(of);
  of.unwatched = false;
  if (of.waited) {
    waited_.erase(of.arrival);
  } else {
    regular_.erase(of.arrival);
    if (of.patience) impatient_.erase({*of.patience, of.arrival});
  }
  if (waited_.empty() && regular_.empty()) unwatched_.clear();
}

void EfhJobs::name_oversized(const View& view, Decisions& decisions) {
  std::erase_if(unnamed_, [&](JobIndex job) {
    const Count wanted = not_given(*jobs_[job], view), all = jobs_[job]->ranking.whole(containers_);
    const bool waits = wanted > all && (!options_.clamp || all == 0);
    if (!waits) return options_.clamp;  // then it is listed again if it is without containers again
    jobs_[job]->named = true;
    decisions.explain(job, why_it_waits(options_, view, job, wanted, all));
    return true;
  });
}

// The index learns what the jobs want only when it is asked: a job that is alone needs no comparison.
void EfhJobs::watch_all() {
  for (const JobIndex job : unwatched_) {
    Waiting* const of = find(job);
    if (of != nullptr && std::exchange(of->unwatched, false)) index_.watch(*of, of->wanted(), containers_);
  }
  unwatched_.clear();
}

void EfhJobs::count_ready() {
  ready_.clear();
  ready_is_heap_ = false;
  index_.count_anew(containers_, ready_);
}

// The best job that is ready; null if there is none.
EfhJobs::Waiting* EfhJobs::first_ready() const {
  OptsetIndex::Counted best;
  const auto compare = [&](const OptsetIndex::Counted& each) {
    if (best.job == nullptr || goes_before(each, best)) best = each;
  };
  index_.each_kept(compare);
  for (const OptsetIndex::Counted& each : ready_) compare(each);
  return static_cast<Waiting*>(best.job);
}

// The best one after it that had no turn. Most rounds ask for none, so that they need no list of all.
EfhJobs::Waiting* EfhJobs::next_ready(const Waiting* first) {
  if (!std::exchange(ready_is_heap_, true)) {
    index_.each_kept([&](const OptsetIndex::Counted& each) { ready_.push_back(each); });
    std::erase_if(ready_, [&](const OptsetIndex::Counted& each) { return each.job == first; });
    std::make_heap(ready_.begin(), ready_.end(), goes_behind);
  }
  if (ready_.empty()) return nullptr;
  std::pop_heap(ready_.begin(), ready_.end(), goes_behind);
  auto* const best = static_cast<Waiting*>(ready_.back().job);
  ready_.pop_back();
  return best;
}

// What the last turns got is not free for the next one.
void EfhJobs::take_grants() {
  for (; taken_ < (by_class_ ? class_grants_.size() : grants_.size()); ++taken_) {
    if (by_class_) {
      containers_.take_of_class(class_grants_[taken_].node_class, class_grants_[taken_].containers);
    } else {
      containers_.take(grants_[taken_].node, grants_[taken_].containers);
    }
  }
}

void EfhJobs::give_grants_back() {
  for (; taken_ > 0; --taken_) {
    if (by_class_) {
      containers_.give_of_class(class_grants_[taken_ - 1].node_class, class_grants_[taken_ - 1].containers);
    } else {
      containers_.give(grants_[taken_ - 1].node, grants_[taken_ - 1].containers);
    }
  }
}

// True if it got all that it wants.
bool EfhJobs::serve(Waiting& of, Count count) {
  take_grants();
  of.served_in = rounds_;
  Count got = 0;
  if (by_class_) {
    const std::size_t first = class_grants_.size();
    of.ranking.best_classes(containers_, count, class_grants_);
    turns_.push_back({&of, first, class_grants_.size()});
    for (std::size_t i = first; i < class_grants_.size(); ++i) got += class_grants_[i].containers;
  } else {
    const std::size_t first = grants_.size();
    of.ranking.best_free(containers_, count, grants_);
    turns_.push_back({&of, first, grants_.size()});
    for (const Grant& each : grants_of(turns_.back())) got += each.containers;
  }
  left_ -= got;
  return got == of.wanted();
}

Count EfhJobs::whole_of(Waiting& of) const {
  if (std::exchange(of.whole_at, containers_.version()) != containers_.version())
    of.whole = of.ranking.whole(containers_);
  return of.whole;
}

// In step 2.
Count EfhJobs::asks_for(Waiting& of) const {
  return options_.clamp ? std::min(of.wanted(), whole_of(of)) : of.wanted();
}

// So many more containers it needs to get what it asks for.
Count EfhJobs::lacks(Waiting& of) const {
  return asks_for(of) - std::min(left_, of.ranking.free(containers_));
}

// False if there are fewer containers than it asks for.
bool EfhJobs::serve_whole(Waiting& of) {
  const Count asked = asks_for(of);
  if (left_ < asked) return false;
  take_grants();
  if (of.ranking.free(containers_) < asked) return false;
  (void)serve(of, asked);
  return true;
}

// True if each job gets all that it wants from one class, the best of those with free containers for it. Then
// they come in no other's way, and the order of turns changes nothing.
bool EfhJobs::serve_each_from_one_class() {
  asked_of_class_.assign(containers_.classes(), 0);
  for (const Queue* const queue : {&waited_, &regular_}) {
    for (const auto& [arrival, of] : *queue) {
      const std::optional<ClassId> best = of->ranking.best_free_class(containers_);
      if (!best) return false;
      asked_of_class_[*best] += of->wanted();
      if (asked_of_class_[*best] > containers_.free_of(*best)) return false;
    }
  }
  for (const Queue* const queue : {&waited_, &regular_}) {
    for (const auto& [arrival, of] : *queue) (void)serve(*of, of->wanted());
  }
  return true;
}

// [UNL table 6.2 lines 8–38] Jobs with no free container in their optset have r = 0: they follow, by arrival.
void EfhJobs::give_out() {
  if (waited_.size() + regular_.size() == 1) {
    Waiting& only = *(waited_.empty() ? regular_ : waited_).begin()->second;
    if (only.waited) {
      (void)serve(only, only.wanted());
    } else if (!serve_whole(only)) {
      enough_ = left_ + lacks(only);
    }
    return;
  }
  if (by_class_ && serve_each_from_one_class()) return;
  watch_all();
  count_ready();
  bool still_wants = false;
  Waiting* next = first_ready();
  const Waiting* const first = next;
  for (; next != nullptr && next->waited; next = next_ready(first)) {
    still_wants = !serve(*next, next->wanted()) || still_wants;
    if (left_ == 0) return;
  }
  for (const auto& [arrival, of] : waited_) {
    if (of->served_in == rounds_) continue;
    still_wants = !serve(*of, of->wanted()) || still_wants;
    if (left_ == 0) return;
  }
  if (still_wants) return;
  for (; next != nullptr; next = next_ready(first)) {
    if (serve_whole(*next)) continue;
    if (turns_.empty()) enough_ = left_ + lacks(*next);
    return;
  }
  for (const auto& [arrival, of] : regular_) {
    if (left_ == 0) return;
    if (of->served_in == rounds_ || serve_whole(*of)) continue;
    if (turns_.empty()) enough_ = left_ + lacks(*of);
    return;
  }
}

void EfhJobs::give_out_anew(const View& view, Decisions& decisions) {
  revoke_fresh(view);
  update(view);
  if (!unnamed_.empty()) name_oversized(view, decisions);
  turns_.clear();
  if (!waited_.empty() || !regular_.empty()) {
    containers_.see(view);
    left_ = containers_.free();
    if (left_ > 0 && left_ >= enough_) {
      by_class_ = !places_ && !some_avoid_nodes_;
      grants_.clear();
      class_grants_.clear();
      give_out();
      give_grants_back();
    }
  }
  // An end frees one container at most; other rounds are not skipped, and remarks need each.
  skips_ = turns_.empty() && unnamed_.empty() ? std::max<Count>(0, enough_ - left_ - 1) : 0;
  // Other caps are as they should be: a job's holdings rise only by what it got, and fall only by an event.
  if (!turns_.empty() || !got_.empty()) limit_all(view, decisions);
}

}  // namespace wavewright
