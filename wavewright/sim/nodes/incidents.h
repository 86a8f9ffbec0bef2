// What comes between in a simulated cluster of nodes: timers, slots taken back, slow tasks that get a second
// attempt, nodes that go and come.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "wavewright/sim/nodes/job_course.h"
#include "wavewright/sim/nodes/speculation.h"

namespace wavewright::sim {

template <class Word>
class Incidents : protected JobCourse<Word> {
 protected:
  using Course = JobCourse<Word>;
  using State = ClusterState<Word>;
  using Course::allocator_events_;
  using Course::id;
  using Course::jobs_;
  using Course::maps_;
  using Course::model_;
  using Course::never;
  using Course::now;
  using Course::now_;
  using Course::placer_;
  using Course::placer_events_;
  using Course::policy_;
  using Course::records_;
  using Course::reclaims_;
  using Course::reduces_;
  using Course::result_;
  using Course::settled_;
  using Course::tell;
  using Course::timers_;

  Incidents(const Workload& workload, Policy& policy, const NodeModel& model, const ClusterOptions& options)
      : Course(workload, policy, model, options), away_(model.changes.empty() ? 0 : model.topology.size()) {}

  // When a timer, an outage or a slot to be taken back is next due.
  [[nodiscard]] std::uint64_t next_incident() const {
    const std::uint64_t change = changed_ < model_.changes.size() ? model_.changes[changed_].at : never;
    return std::min({change, timers_.empty() ? never : timers_.top().first,
                     reclaims_.empty() ? never : reclaims_.top().due, next_check()});
  }

  void timers() {
    while (!timers_.empty() && timers_.top().first == now_) {
      const Token token = timers_.top().second;
      timers_.pop();
      const Event event{Event::What::timer, now(), 0, Kind::map, 0, token};
      if (allocator_events_.has(Event::What::timer)) policy_.on(event, *this, *this);
      if (placer_events_.has(Event::What::timer)) placer_->on(event, *this, *this);
    }
  }

  // ---- slow tasks

  [[nodiscard]] bool speculates() const { return model_.cluster.mode.speculation; }
  // When slow tasks are next looked for, as long as anything runs.
  [[nodiscard]] std::uint64_t next_check() const {
    const bool busy = !maps_.queue.empty() || !reduces_.queue.empty() || !this->launching_.empty();
    return speculates() && busy ? (now_ / check_ + 1) * check_ : never;
  }
  // Marks the slow tasks of jobs that have nothing new to start, where it is time to look for them.
  void double_slow_tasks() {
    if (!speculates() || now_ % check_ != 0) return;
    mark_slow_tasks(maps_);
    mark_slow_tasks(reduces_);
  }
  using SlotsByJob = std::map<JobIndex, std::vector<std::uint32_t>>;  // slots ascending
  [[nodiscard]] static SlotsByJob busy_slots(const Side<Word>& side) {
    SlotsByJob slots;
    for (std::uint32_t slot = 0; slot < side.slots(); ++slot) {
      if (!side.idle.contains(slot) && !side.on[slot].over) slots[side.on[slot].job].push_back(slot);
    }
    return slots;
  }
  void mark_slow_tasks(const Side<Word>& side) {
    const SlotsByJob running = busy_slots(side);
    std::size_t seconds = 0;
    for (std::uint32_t slot = 0; slot < side.slots(); ++slot) {
      seconds += !side.idle.contains(slot) && !side.on[slot].over && side.on[slot].second ? 1U : 0U;
    }
    for (const auto& [job, slots] : running) seconds += jobs_[job].attempts->of(side.kind).marked.size();
    for (const auto& [job, slots] : running) {
      const NodeJob& state = jobs_[job];
      if (state.tasks(side.kind).pending > 0) continue;
      if (side.kind == Kind::reduce && state.maps_done_at == never) continue;
      std::vector<Progress> progress;
      progress.reserve(slots.size());
      for (const std::uint32_t slot : slots) progress.push_back(progress_of(side, slot));
      const std::size_t most = model_.most_seconds(side.slots(), seconds);
      for (const std::size_t i :
           choose_to_double(model_.cluster.mode.rule, progress,
                            state.tasks(side.kind).count - state.tasks(side.kind).left, most)) {
        mark(job, side.kind, side.on[slots[i]].task);
        ++seconds;
      }
    }
  }
  [[nodiscard]] Progress progress_of(const Side<Word>& side, std::uint32_t slot) const {
    const Running& attempt = side.on[slot];
    const auto age = static_cast<std::uint64_t>(to_ms(model_.cluster.mode.speculation_after));
    return {done_part(now_, attempt.from, attempt.full), now_ - attempt.since,
            now_ - attempt.since >= age && attempt.twin == Running::alone &&
                !jobs_[attempt.job].attempts->of(side.kind).doubled[attempt.task]};
  }
  void mark(JobIndex index, Kind kind, std::uint32_t task) {
    Attempts::OfKind& attempts = jobs_[index].attempts->of(kind);
    attempts.doubled[task] = true;
    attempts.marked.push_back(task);
    this->has_work(index, kind);
  }

  // ---- slots taken back

  // Takes slots back from jobs: their attempts that started last are killed, and run again.
  void take_back() {
    while (!reclaims_.empty() && reclaims_.top().due == now_) {
      const auto reclaim = reclaims_.top();
      reclaims_.pop();
      Side<Word>& side = State::side_of(reclaim.kind);
      for (Count i = 0; i < reclaim.count; ++i) {
        const std::uint32_t slot = last_started(side, reclaim.job);
        if (slot == NumberSet::none) break;
        this->stop(side, slot, AttemptOutcome::killed, true);
      }
    }
  }
  [[nodiscard]] static std::uint32_t last_started(const Side<Word>& side, JobIndex job) {
    std::uint32_t last = NumberSet::none;
    for (std::uint32_t slot = 0; slot < side.slots(); ++slot) {
      if (side.idle.contains(slot) || side.on[slot].job != job) continue;
      if (last == NumberSet::none || side.on[slot].since >= side.on[last].since) last = slot;
    }
    return last;
  }

  // ---- nodes come and go

  void come_and_go() {
    for (; changed_ < model_.changes.size() && model_.changes[changed_].at == now_; ++changed_) {
      const NodeIndex node = model_.changes[changed_].node;
      if (!model_.changes[changed_].up) {
        if (away_[node]++ == 0) lose(node);
      } else if (--away_[node] == 0) {
        restore(node);
        tell(Event::What::node_up, 0, Kind::map, node);
      }
    }
  }

  // What runs there is lost, and so are the outputs of maps that some reduce has still to fetch.
  void lose(NodeIndex node) {
    withdraw(node);
    for (JobIndex index = 0; index < jobs_.size(); ++index) {
      NodeJob& state = jobs_[index];
      if (!state.admitted || state.settled || state.reduces.count == 0) continue;
      if (state.maps_done_at != never && state.reduces.pending == 0) continue;
      for (std::uint32_t map = 0; map < state.maps.count; ++map) {
        if (state.attempts->ran_on[map] != node) continue;
        state.attempts->ran_on[map] = Attempts::nowhere;
        ++state.maps.left;
        state.maps_done_at = never;
        this->give_back(index, Kind::map, map);
        tell(Event::What::lost, index, Kind::map, node);
      }
    }
    tell(Event::What::node_down, 0, Kind::map, node);
  }
  // What runs on the node is lost; it offers nothing, until it is restored.
  virtual void withdraw(NodeIndex node) {
    for (Side<Word>* const side : {&maps_, &reduces_}) {
      lose_slots(*side, node);
      side->withdraw(node);
    }
  }
  void lose_slots(Side<Word>& side, NodeIndex node) {
    for (std::uint32_t slot = side.first_slot[node]; slot < side.first_slot[node + 1]; ++slot) {
      if (!side.idle.contains(slot)) this->stop(side, slot, AttemptOutcome::lost, true);
    }
  }
  virtual void restore(NodeIndex node) {
    maps_.restore(node);
    reduces_.restore(node);
  }

  // ---- the beginning and the end

  void begin() {
    records_.begin_all(result_.nodes);
    policy_.begin(*this, *this);
  }

  // Whether it is to end before its time.
  [[nodiscard]] bool stopped() {
    if (this->stop_ == nullptr || !this->stop_->load(std::memory_order_relaxed)) return false;
    result_.stopped = now();
    return true;
  }

  // Sums up, and says who was left behind and why.
  void sum_up() {
    close_records();
    if (result_.stopped) {
      break_off();
    } else if (settled_ != jobs_.size()) {
      for (JobIndex job = 0; job < jobs_.size(); ++job) refuse_stuck(job);
    }
    result_.sum_up();
    result_.map_busy = ms(static_cast<std::int64_t>(maps_.busy));
    result_.reduce_busy = ms(static_cast<std::int64_t>(reduces_.busy));
  }
  // Masters outlast their jobs; of a simulation that was stopped, tasks run too.
  void close_records() {
    if (!records_.on()) return;
    for (Side<Word>* const side : {&this->masters_, &maps_, &reduces_}) {
      for (std::uint32_t slot = 0; slot < side->slots(); ++slot) {
        const Running& attempt = side->on[slot];
        if (side->idle.contains(slot) || attempt.over) continue;
        if (result_.stopped && (attempt.until == attempt.since || attempt.until > now_)) {
          TaskRecord& record = records_[side->record[slot]];
          record.end = now();
          record.outcome = AttemptOutcome::running;
        }
        records_.close(side->record[slot]);
      }
    }
  }
  void break_off() {
    for (JobIndex index = 0; index < jobs_.size(); ++index) {
      const NodeJob& state = jobs_[index];
      JobOutcome& outcome = result_.jobs[index];
      if (state.settled) continue;
      outcome.unfinished = true;
      if (!state.arrived) continue;
      outcome.finish = now();
      if (!state.started) outcome.start = now();
      if (state.maps_done_at == never) outcome.maps_done = now();
    }
    for (Side<Word>* const side : {&maps_, &reduces_}) {
      for (std::uint32_t slot = 0; slot < side->slots(); ++slot) {
        const Running& attempt = side->on[slot];
        if (side->idle.contains(slot) || attempt.over) continue;
        side->busy -= attempt.until - attempt.since;
        side->busy += std::min(attempt.until == attempt.since ? now_ : attempt.until, now_) - attempt.since;
      }
    }
  }
  virtual void refuse_stuck(JobIndex index) const {
    const NodeJob& state = jobs_[index];
    if (state.settled || !state.arrived) return;
    const auto away =
        std::count_if(away_.begin(), away_.end(), [](std::uint32_t outages) { return outages > 0; });
    if (state.admitted && away > 0) {
      throw NoAnswer(fmt::format("job '{}' can never be placed: {} of {} nodes are away for good", id(index),
                                 away, model_.topology.size()),
                     "end an outage (to_ms), let machines stay (leave_ms, bid), or add nodes");
    }
    throw_stuck(id(index), policy_.name(), state.admitted, state.maps.left != 0);
  }

  [[nodiscard]] bool is_away(NodeIndex node) const { return !away_.empty() && away_[node] > 0; }

 private:
  const std::uint64_t check_ = static_cast<std::uint64_t>(to_ms(model_.cluster.mode.speculation_check));
  std::vector<std::uint32_t> away_;  // by node: outages that it is in
  std::size_t changed_ = 0;          // of model_.changes
};

}  // namespace wavewright::sim
