#include "wavewright/dispatch/dispatch_queue.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "wavewright/plan/methods/johnson.h"

namespace wavewright {

DispatchQueue::DispatchQueue(std::unique_ptr<ReorderPolicy> policy, OrderingEngine engine,
                             std::size_t most_jobs)
    : policy_(std::move(policy)), engine_(std::move(engine)), most_jobs_(most_jobs) {
  check(engine_);
}

Waiting DispatchQueue::state() const {
  return {waiting_.size(), waiting_.empty() ? Time{} : waiting_.front().arrived};
}

void DispatchQueue::arrive(Time now, WaitingJob job) {
  job.arrived = now;
  waiting_.push_back(std::move(job));
  policy_->on_arrival(now, state());
}

std::optional<Time> DispatchQueue::next_decision() const {
  const std::optional<Time> planned = policy_->next_decision();
  if (!due_ || waiting_.empty()) return planned;
  return planned ? std::min(*planned, *due_) : due_;
}

void DispatchQueue::revise(const std::function<void(WaitingJob&)>& change) {
  for (WaitingJob& job : waiting_) change(job);
}

Round DispatchQueue::decide(Time now, const Stop& stop) {
  Round round{.at = now};
  due_.reset();
  const std::size_t count = most_jobs_ == 0 ? waiting_.size() : std::min(most_jobs_, waiting_.size());
  if (count == 0) return round;
  const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<WaitingJob> later(std::make_move_iterator(end), std::make_move_iterator(waiting_.end()));
  waiting_.erase(end, waiting_.end());
  std::vector<WaitingJob> jobs = std::exchange(waiting_, std::move(later));
  const EngineOrder ordered = order_by_engine(engine_, jobs, now, stop);
  round.searched = ordered.searched;
  round.evaluated = ordered.evaluated;
  round.work = two_stage_makespan(fluid_times(jobs, engine_.pool), ordered.order);
  round.jobs.reserve(count);
  for (const JobIndex job : ordered.order) round.jobs.push_back(std::move(jobs[job]));
  policy_->on_dispatch(now, round.work, state());
  return round;
}

}  // namespace wavewright
