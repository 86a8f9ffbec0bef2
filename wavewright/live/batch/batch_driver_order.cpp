// The order in which the driver submits jobs: wishes of users, the dispatching queue, and drift.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/live/batch/batch_driver.h"

namespace wavewright {

namespace {

constexpr std::size_t most_told = 10;  // jobs of a new order that its event names

}  // namespace

void BatchDriver::cancel_what_cannot_begin() {
  // A job that is cancelled here has ended badly, too, and others may wait for it.
  while (std::exchange(ended_badly_, false)) {
    for (std::size_t place = 0; place < batch_->jobs.size(); ++place) {
      if (before_[place].empty()) continue;
      LiveJob& job = batch_->jobs[place];
      if (job.state != LiveState::waiting && job.state != LiveState::held) continue;
      for (const std::size_t earlier : before_[place]) {
        const LiveJob& before = batch_->jobs[earlier];
        if (!has_ended(before.state) || before.state == LiveState::done) continue;
        end(job, LiveState::cancelled, fmt::format("{} before it is {}", before.id, to_string(before.state)));
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
  const auto& before = before_[place_of(job)];
  return job.state == LiveState::waiting && job.not_before <= now &&
         std::all_of(before.begin(), before.end(),
                     [&](std::size_t place) { return batch_->jobs[place].state == LiveState::done; });
}

// The next entry tells how the queue stands.
RoundEntry& BatchDriver::note_round() {
  if (!round_) {
    round_.emplace();
    if (batch_->round)
      *round_ = {.began = batch_->round->began, .work = batch_->round->work, .due = batch_->round->due};
  }
  return *round_;
}

// Goes on with the round that the journal has.
void BatchDriver::take_up_round() {
  const Time wall = clocks_.wall();
  if (!batch_->round || batch_->round->began > wall) note_round().began = wall;
  if (!batch_->round) return;
  const LiveRound& round = *batch_->round;
  queue_began_ -= std::max(Duration{}, wall - round.began);
  if (round.work) queue_->resume(Time{}, *round.work);
  for (const std::string& id : round.order) {
    const auto place = places_.find(id);
    if (place == places_.end()) continue;  // it is in the archive
    const LiveState state = batch_->jobs[place->second].state;
    if (has_begun(state) || has_ended(state) || queued_[place->second] != 0) continue;
    queued_[place->second] = 1;
    dispatched_.push_back(place->second);
  }
  const Time now = queue_time();
  put_ready_in_queue(now, wall);
  if (!round.due) return;
  due_ = now + (*round.due - wall);
  if (!queue_->waiting().empty()) queue_->make_due(*due_);
}

void BatchDriver::put_ready_in_queue(Time now, Time wall) {
  for (std::size_t place = 0; place < states_.size(); ++place) {
    if (queued_[place] != 0 || states_[place] != LiveState::waiting) continue;
    const LiveJob& job = batch_->jobs[place];
    if (!is_ready(job, wall)) continue;
    put_in_queue(place, now, wall);
  }
}

void BatchDriver::put_in_queue(std::size_t place, Time now, Time wall) {
  WaitingJob job = waiting_job(batch_->jobs[place], wall, now);
  job.index = place;
  queue_->arrive(now, std::move(job));
  queued_[place] = 1;
}

void BatchDriver::note_due(Time now, Time wall) {
  const std::optional<Time> due = queue_->next_decision();
  if (due == due_) return;
  due_ = due;
  note_round().due = due ? std::optional(wall + (*due - now)) : std::nullopt;
}

// Puts jobs that have become ready into the queue, and takes what a round gives.
void BatchDriver::dispatch() {
  const Time now = queue_time();
  const Time wall = clocks_.wall();
  put_ready_in_queue(now, wall);
  while (queue_->next_decision() && *queue_->next_decision() <= now) {
    Round round = queue_->decide(now);
    RoundEntry& told = note_round();
    told.began = wall;
    told.work = round.work;
    for (WaitingJob& job : round.jobs) {
      const std::size_t place = job.index;
      // One that was held or cancelled meanwhile comes again when it is ready.
      if (batch_->jobs[place].state == LiveState::waiting) {
        dispatched_.push_back(place);
        if (!told.anew) told.order.push_back(std::move(job.id));
      } else {
        queued_[place] = 0;
      }
    }
    // The journal's order is at most twice as long as what is left of it.
    if (batch_->round->order.size() + told.order.size() > 2 * dispatched_.size()) told.anew = true;
  }
  note_due(now, wall);
}

// Jobs that were ordered and not yet submitted wait again, but for those that YARN did not get: they keep
// their place at the front.
void BatchDriver::order_anew() {
  if (!queue_) return;
  const Time now = queue_time();
  const Time wall = clocks_.wall();
  std::deque<std::size_t> kept;
  for (const std::size_t place : dispatched_) {
    const LiveJob& job = batch_->jobs[place];
    if (job.attempts > 0 || job.state != LiveState::waiting) {
      kept.push_back(place);
    } else {
      put_in_queue(place, now, wall);
    }
  }
  if (kept.size() != dispatched_.size()) note_round().anew = true;
  dispatched_ = std::move(kept);
  if (!queue_->waiting().empty()) queue_->make_due(now);
  note_due(now, wall);
}

std::vector<std::string> BatchDriver::dispatched() const {
  std::vector<std::string> ids;
  if (!batch_) return ids;
  for (const std::size_t place : dispatched_) {
    const LiveJob& job = batch_->jobs[place];
    if (!has_begun(job.state) && !has_ended(job.state)) ids.push_back(job.id);
  }
  return ids;
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
  const std::size_t drifted_place = place_of(*drifted);
  for (std::size_t place = 0; place < batch_->jobs.size(); ++place) {
    if (profile_hashes_[place] != profile_hashes_[drifted_place]) continue;
    LiveJob& each = batch_->jobs[place];
    const bool alike = !drifted->profile.empty() && each.profile == drifted->profile &&
                       (each.state == LiveState::waiting || each.state == LiveState::held);
    if (&each != drifted && !alike) continue;
    change(each.maps, each.map_drift, maps);
    change(each.reduces, each.reduce_drift, reduces);
    touch(each);
  }
  if (queue_) {
    queue_->revise([&](WaitingJob& waiting) {
      waiting.maps = batch_->jobs[waiting.index].maps;
      waiting.reduces = batch_->jobs[waiting.index].reduces;
    });
  }
  tell(job, "Drifted", std::move(detail));
  order_anew();
}

void BatchDriver::replan(const std::set<std::string>& idle) {
  if (!batch_ || !replanner_) return;
  const Time wall = clocks_.wall();
  const Time now = queue_time();
  std::vector<LiveJob*> open;
  std::vector<WaitingJob> waiting;
  std::vector<std::int64_t> map_ranks, reduce_ranks;
  for (LiveJob& job : batch_->jobs) {
    const bool may_change = is_ready(job, wall) || (has_begun(job.state) && idle.contains(job.id));
    if (!may_change || !job.target || job.promise) continue;
    open.push_back(&job);
    waiting.push_back(waiting_job(job, wall, now));
    map_ranks.push_back(job.target->map_rank);
    reduce_ranks.push_back(job.target->reduce_rank);
  }
  if (open.size() < 2) return;
  std::sort(map_ranks.begin(), map_ranks.end());
  std::sort(reduce_ranks.begin(), reduce_ranks.end());
  const std::vector<JobIndex> order = order_by_engine(*replanner_, waiting, now).order;
  std::string ids;
  bool changed = false;
  for (std::size_t i = 0; i < order.size(); ++i) {
    LiveJob& job = *open[order[i]];
    LiveTarget target = *job.target;
    target.map_rank = map_ranks[i];
    target.reduce_rank = reduce_ranks[i];
    if (i < most_told) ids += (i == 0 ? "" : ", ") + job.id;
    if (target == *job.target) continue;
    job.target = target;
    touch(job);
    changed = true;
  }
  if (!changed) return;
  if (order.size() > most_told) ids += fmt::format(" and {} more", order.size() - most_told);
  tell_of_batch("Replanned", "next " + ids);
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
  for (std::size_t place = 0; place < states_.size(); ++place) {
    if (has_begun(states_[place])) ++there;
    if (states_[place] != LiveState::submitting) continue;
    Waits& waits = waits_[place];
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
    const bool as_listed = !promised_ && !replanner_;
    // A promise counts the commands of those that were promised before. By rank only where ranks may have
    // changed.
    const auto turn = [&](const LiveJob& job) {
      const bool by_rank = !job.promise && replanner_ && job.target;
      return std::pair(!job.promise, by_rank ? job.target->map_rank : 0);
    };
    for (std::size_t place = 0; place < states_.size(); ++place) {
      if (states_[place] != LiveState::waiting) continue;
      LiveJob& job = batch_->jobs[place];
      const bool is_first = next == nullptr || turn(job) < turn(*next);
      if (is_first && is_ready(job, now)) next = &job;
      if (as_listed && next != nullptr) break;
    }
    return next;
  }
  while (!dispatched_.empty()) {
    const std::size_t place = dispatched_.front();
    LiveJob& job = batch_->jobs[place];
    dispatched_.pop_front();
    queued_[place] = 0;
    if (is_ready(job, now)) return &job;
    if (!has_ended(job.state)) note_round().anew = true;  // it comes again with another round
  }
  return nullptr;
}

}  // namespace wavewright
