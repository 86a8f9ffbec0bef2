#include "wavewright/realtime/reduce_shares.h"

#include <algorithm>
#include <utility>

namespace wavewright {

void ReduceShares::accepted(JobIndex job, const View& view, Decisions& decisions) {
  if (job >= jobs_.size()) jobs_.resize(std::size_t{job} + 1);
  Job& its = jobs_[job] = {.known = true};
  count_pending(job, its, view);
  order_changed_ = true;
  if (view.facts(job).reduces > 0) decisions.cap(job, Kind::reduce, any_class, 0);
}

void ReduceShares::count_pending(JobIndex job, Job& its, const View& view) {
  const Count before = std::exchange(its.pending, view.pending(job, Kind::reduce));
  demand_ += its.pending - before;
  if (before == 0 && its.pending > 0) order_changed_ = true;  // it may not be listed
}

void ReduceShares::ready(JobIndex job) {
  Job* const its = find(job);
  if (its == nullptr) return;
  its->ready = true;
  changed_.push_back(job);
}

void ReduceShares::ended(JobIndex job) {
  if (find(job) != nullptr) changed_.push_back(job);
}

void ReduceShares::lost(JobIndex job, const View& view) {
  Job* const its = find(job);
  if (its == nullptr) return;
  count_pending(job, *its, view);
  changed_.push_back(job);
}

void ReduceShares::over(JobIndex job) {
  Job* const its = find(job);
  if (its == nullptr) return;
  demand_ -= its->pending;
  *its = {};
}

void ReduceShares::started(const Event& event, const View& view) {
  Job* const its = find(event.job);
  if (its == nullptr) return;
  count_pending(event.job, *its, view);
  if (event.attempt == 0) return;
  second_started_ = true;
  changed_.push_back(event.job);
}

// Those that are listed have reduces that have not started.
void ReduceShares::list_in_order(const AdmissionController& queue) {
  if (!std::exchange(order_changed_, false)) return;
  in_order_ = queue.queue();
  std::erase_if(in_order_, [this](JobIndex job) {
    const Job* const its = find(job);
    return its == nullptr || its->pending == 0;
  });
}

void ReduceShares::share(const AdmissionController& queue, Count slots, bool limited, const View& view,
                         Decisions& decisions) {
  second_started_ = false;
  ++sharings_;
  const Count free = slots - view.used(root_group).reduce_slots;
  const bool all_start = free >= demand_ && !limited;
  if (!all_start || !all_start_) list_in_order(queue);
  if (std::exchange(all_start_, all_start) != all_start)
    may_start_.insert(may_start_.end(), in_order_.begin(), in_order_.end());
  if (all_start) {
    let_all_start(view, decisions);
  } else if (limited) {  // by place in the queue
    share_few(free, queue.queue(), queue.limits(), view, decisions);
  } else {
    share_few(free, in_order_, {}, view, decisions);
  }
  changed_.clear();
}

// Then each job's cap goes with its own reduces only.
void ReduceShares::let_all_start(const View& view, Decisions& decisions) {
  changed_.insert(changed_.end(), may_start_.begin(), may_start_.end());
  may_start_.clear();
  for (const JobIndex job : changed_) {
    const Job* const its = find(job);
    if (its != nullptr)
      set_cap(job, view.held(job, Kind::reduce, any_class) + (its->ready ? its->pending : 0), decisions);
  }
}

void ReduceShares::share_few(Count free, std::span<const JobIndex> jobs, std::span<const SlotPool> limits,
                             const View& view, Decisions& decisions) {
  std::vector<JobIndex> given_to;
  Count reserved = 0;
  for (std::size_t i = 0; i < jobs.size() && reserved < free; ++i) {
    Job* const its = find(jobs[i]);
    if (its == nullptr || its->pending == 0) continue;
    const Count limit = limits.empty() ? unlimited : limits[i].reduce_slots;
    if (!its->ready) {
      reserved += std::min(its->pending, limit);
      continue;
    }
    const Count held = view.held(jobs[i], Kind::reduce, any_class);
    const Count given = std::min({its->pending, free - reserved, std::max<Count>(0, limit - held)});
    set_cap(jobs[i], held + given, decisions);
    its->given_in = sharings_;
    given_to.push_back(jobs[i]);
    free -= given;
  }
  // What a job holds less than its cap it may start only if it is given that.
  for (const std::vector<JobIndex>* const some : {&may_start_, &changed_}) {
    for (const JobIndex job : *some) {
      const Job* const its = find(job);
      if (its != nullptr && its->given_in != sharings_)
        set_cap(job, view.held(job, Kind::reduce, any_class), decisions);
    }
  }
  may_start_ = std::move(given_to);
}

void ReduceShares::set_cap(JobIndex job, Count cap, Decisions& decisions) {
  Job* const its = find(job);
  if (its == nullptr || its->cap == cap) return;
  its->cap = cap;
  decisions.cap(job, Kind::reduce, any_class, cap);
}

}  // namespace wavewright
