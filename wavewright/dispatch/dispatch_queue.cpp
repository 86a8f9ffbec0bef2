#include "wavewright/dispatch/dispatch_queue.h"

#include <algorithm>
#include <iterator>

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

void DispatchQueue::revise(const std::string& id, StageWork maps, StageWork reduces) {
  for (WaitingJob& job : waiting_) {
    if (job.id != id) continue;
    job.maps = maps;
    job.reduces = reduces;
  }
}

Round DispatchQueue::decide(Time now, const Stop& stop) {
  Round round{.at = now};
  due_.reset();
  const std::size_t count = most_jobs_ == 0 ? waiting_.size() : std::min(most_jobs_, waiting_.size());
  if (count == 0) return round;
  const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(count);
  const std::vector<WaitingJob> jobs(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
  waiting_.erase(waiting_.begin(), end);
  const EngineOrder ordered = order_by_engine(engine_, jobs, now, stop);
  round.searched = ordered.searched;
  round.evaluated = ordered.evaluated;
  round.work = two_stage_makespan(fluid_times(jobs, engine_.pool), ordered.order);
  for (const JobIndex job : ordered.order) round.jobs.push_back(jobs[job]);
  policy_->on_dispatch(now, round.work, state());
  return round;
}

}  // namespace wavewright
