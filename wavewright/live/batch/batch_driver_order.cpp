// The order in which the driver submits jobs: wishes of users, the dispatching queue, and drift.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/live/batch/batch_driver.h"

namespace wavewright {

void BatchDriver::cancel_what_cannot_begin() {
  for (bool more = true; more;) {
    more = false;
    for (LiveJob& job : batch_->jobs) {
      if (job.state != LiveState::waiting && job.state != LiveState::held) continue;
      for (const std::string& id : job.after) {
        const LiveJob& before = batch_->jobs[places_.at(id)];
        if (!has_ended(before.state) || before.state == LiveState::done) continue;
        end(job, LiveState::cancelled, fmt::format("{} before it is {}", id, to_string(before.state)));
        more = true;
        break;
      }
    }
  }
}

void BatchDriver::grant_wishes() {
  for (const JobWish& wish : journal_.wishes()) {
    granted_.push_back(wish.key);
    const auto place = places_.find(wish.job);
    if (place == places_.end()) continue;
    LiveJob& job = batch_->jobs[place->second];
    const bool queued = job.state == LiveState::waiting || job.state == LiveState::held;
    if (wish.wish == Wish::cancel && queued) {
      end(job, LiveState::cancelled, "as its user asked");
    } else if (wish.wish == Wish::cancel && has_begun(job.state) && !job.cancel) {
      job.cancel = true;
      tell(job.id, "Cancelling", "");
    } else if (wish.wish == Wish::hold && job.state == LiveState::waiting) {
      job.state = LiveState::held;
      tell(job.id, "Held", "");
    } else if (wish.wish == Wish::release && job.state == LiveState::held) {
      job.state = LiveState::waiting;
      tell(job.id, "Released", "");
    }
  }
}

bool BatchDriver::is_ready(const LiveJob& job, Time now) const {
  return job.state == LiveState::waiting && job.not_before <= now &&
         std::all_of(job.after.begin(), job.after.end(), [&](const std::string& id) {
           return batch_->jobs[places_.at(id)].state == LiveState::done;
         });
}

// Puts jobs that have become ready into the queue, and takes what a round gives.
void BatchDriver::dispatch() {
  const Time now = Time{} + (clocks_.steady() - queue_began_);
  const Time wall = clocks_.wall();
  for (std::size_t place = 0; place < batch_->jobs.size(); ++place) {
    const LiveJob& job = batch_->jobs[place];
    if (queued_.contains(place) || !is_ready(job, wall)) continue;
    queue_->arrive(now, waiting_job(job, wall, now));
    queued_.insert(place);
  }
  while (queue_->next_decision() && *queue_->next_decision() <= now) {
    for (const WaitingJob& job : queue_->decide(now).jobs) {
      const std::size_t place = places_.at(job.id);
      // One that was held or cancelled meanwhile comes again when it is ready.
      if (batch_->jobs[place].state == LiveState::waiting) {
        dispatched_.push_back(place);
      } else {
        queued_.erase(place);
      }
    }
  }
}

// Jobs that were ordered and not yet submitted wait again, but for those that YARN did not get: they keep
// their place at the front.
void BatchDriver::order_anew() {
  if (!queue_) return;
  const Time now = Time{} + (clocks_.steady() - queue_began_);
  const Time wall = clocks_.wall();
  std::deque<std::size_t> kept;
  for (const std::size_t place : dispatched_) {
    const LiveJob& job = batch_->jobs[place];
    if (job.attempts > 0 || job.state != LiveState::waiting) {
      kept.push_back(place);
    } else {
      queue_->arrive(now, waiting_job(job, wall, now));
    }
  }
  dispatched_ = std::move(kept);
  queue_->make_due(now);
}

LiveJob* BatchDriver::unfinished(const std::string& job) {
  if (!batch_) return nullptr;
  const auto place = places_.find(job);
  if (place == places_.end() || has_ended(batch_->jobs[place->second].state)) return nullptr;
  return &batch_->jobs[place->second];
}

void BatchDriver::drifted(const std::string& job, std::optional<double> maps, std::optional<double> reduces,
                          std::string detail) {
  LiveJob* drifted = unfinished(job);
  if (drifted == nullptr || drifted->state != LiveState::running) return;
  const auto change = [](StageWork& work, std::optional<double>& had, const std::optional<double>& factor) {
    if (!factor || *factor <= 0) return;
    const double by = *factor / had.value_or(1);
    work.mean = ms(std::llround(std::min(static_cast<double>(work.mean.count()) * by,
                                         static_cast<double>(longest_duration.count()))));
    had = factor;
  };
  for (LiveJob& each : batch_->jobs) {
    const bool alike = !drifted->profile.empty() && each.profile == drifted->profile &&
                       (each.state == LiveState::waiting || each.state == LiveState::held);
    if (&each != drifted && !alike) continue;
    change(each.maps, each.map_drift, maps);
    change(each.reduces, each.reduce_drift, reduces);
    touched_.insert(places_.at(each.id));
    if (queue_) queue_->revise(each.id, each.maps, each.reduces);
  }
  tell(job, "Drifted", std::move(detail));
  order_anew();
}

void BatchDriver::note(const std::string& job, const char* what, std::string detail) {
  if (unfinished(job) != nullptr) tell(job, what, std::move(detail));
}

void BatchDriver::note_of_batch(const char* what, std::string detail) {
  tell_of_batch(what, std::move(detail));
}

void BatchDriver::put_at_risk(const std::string& job, bool at_risk, std::string detail) {
  LiveJob* promised = unfinished(job);
  if (promised == nullptr || !promised->promise || promised->promise->at_risk == at_risk) return;
  promised->promise->at_risk = at_risk;
  tell(job, at_risk ? "PromiseAtRisk" : "PromiseSafe", std::move(detail));
}

void BatchDriver::promise(const std::string& job, Time start, Time end) {
  LiveJob* promised = unfinished(job);
  if (promised == nullptr || promised->expected_end) return;
  promised->expected_start = start;
  promised->expected_end = end;
  touched_.insert(places_.at(job));
}

// Is there room on the cluster, and on the way to it?
bool BatchDriver::may_submit() {
  const Duration steady = clocks_.steady();
  std::size_t there = 0;
  std::size_t on_their_way = 0;
  for (const LiveJob& job : batch_->jobs) {
    if (has_begun(job.state)) ++there;
    if (job.state != LiveState::submitting) continue;
    Waits& waits = waits_of(job);
    if (waits.is_through) continue;
    if (!waits.begun) waits.begun = steady;
    if (steady - *waits.begun < options_.patience) ++on_their_way;
  }
  if (on_their_way >= options_.most_submitting) return false;
  return options_.most_at_once == 0 || there < options_.most_at_once;
}

LiveJob* BatchDriver::next_ready() {
  const Time now = clocks_.wall();
  if (!queue_) {
    LiveJob* next = nullptr;
    const auto due = [](const LiveJob& job) { return job.promise ? *job.deadline : Time::max(); };
    for (LiveJob& job : batch_->jobs) {
      const bool is_first = next == nullptr || due(job) < due(*next);
      if (is_first && is_ready(job, now)) next = &job;
    }
    return next;
  }
  while (!dispatched_.empty()) {
    const std::size_t place = dispatched_.front();
    LiveJob& job = batch_->jobs[place];
    dispatched_.pop_front();
    queued_.erase(place);
    if (is_ready(job, now)) return &job;
  }
  return nullptr;
}

}  // namespace wavewright
