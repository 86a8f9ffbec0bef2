// Timers, preemption and node changes of a simulated cluster.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "wavewright/sim/nodes/slow_tasks.h"

namespace wavewright::sim {

class Incidents : protected SlowTasks {
 protected:
  using Course = JobCourse;
  using State = ClusterState;
  using Course::allocator_events_;
  using Course::id;
  using Course::jobs_;
  using Course::ledger_;
  using Course::maps_;
  using Course::model_;
  using Course::never;
  using Course::now;
  using Course::now_;
  using Course::placer_;
  using Course::placer_events_;
  using Course::policy_;
  using Course::reduces_;
  using Course::result_;
  using Course::settled_;
  using Course::tell;

  Incidents(const Workload& workload, Policy& policy, const NodeModel& model, const ClusterOptions& options)
      : SlowTasks(workload, policy, model, options),
        away_(model.changes.empty() ? 0 : model.topology.size()) {}

  // When a timer, a node change, a preemption or a reservation is next due.
  [[nodiscard]] std::uint64_t next_incident() {
    const std::uint64_t change = changed_ < model_.changes.size() ? model_.changes[changed_].at : never;
    return std::min({change, instant(ledger_.timers().next()), instant(ledger_.preemptions().next()),
                     ledger_.reservations().empty() ? never : instant(ledger_.reservations().next(now())),
                     this->next_check()});
  }
  [[nodiscard]] static std::uint64_t instant(std::optional<Time> at) {
    return at ? static_cast<std::uint64_t>(to_ms(*at)) : never;
  }

  // Each timer is told to the part of the policy that set it.
  void timers() {
    while (const std::optional<Timers::Timer> timer = ledger_.timers().pop(now())) {
      const Event event{.what = Event::What::timer, .at = now(), .token = timer->token};
      if (timer->part == Part::allocator && allocator_events_.has(Event::What::timer))
        policy_.on(event, *this, ledger_.allocator());
      if (timer->part == Part::placer && placer_events_.has(Event::What::timer))
        placer_->on(event, *this, ledger_.placer());
      ledger_.decided();
    }
    if (!ledger_.reservations().empty()) ledger_.reservations().expire(now());
  }

  // ---- preemption

  // The attempts of the job that started last are killed, and run again.
  void preempt() {
    while (const std::optional<Preemption> due = ledger_.preemptions().pop(now())) {
      Side& side = State::side_of(due->kind);
      for (Count i = 0; i < due->count; ++i) {
        const std::uint32_t slot = last_started(side, due->job, due->node_class);
        if (slot == NumberSet::none) break;
        this->stop_slot(side, slot);
      }
    }
  }
  [[nodiscard]] std::uint32_t last_started(const Side& side, JobIndex job, ClassId on = any_class) const {
    std::uint32_t last = NumberSet::none;
    for (std::uint32_t slot = 0; slot < side.slots(); ++slot) {
      if (side.idle.contains(slot) || side.on[slot].job != job || side.on[slot].over) continue;
      if (on != any_class && this->node_class(side.node_of[slot]) != on) continue;
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
        tell({.what = Event::What::node_up, .node = node});
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
      Attempts::OfKind& maps = state.attempts->maps;
      for (std::uint32_t map = 0; map < state.maps.count; ++map) {
        if (!maps.is_done(map) || maps_.node_of[maps.tasks[map].slot] != node) continue;
        maps.loses(map);
        ++state.maps.left;
        state.maps_done_at = never;
        this->give_back(index, Kind::map, map);
        tell({.what = Event::What::lost,
              .outcome = AttemptOutcome::lost,
              .job = index,
              .task = map,
              .attempt = maps.tasks[map].started - 1,
              .node = node,
              .slot = maps_.number(maps.tasks[map].slot)});
      }
    }
    tell({.what = Event::What::node_down, .node = node});
  }
  // What runs on the node is lost; it offers nothing, until it is restored.
  virtual void withdraw(NodeIndex node) {
    for (Side* const side : {&maps_, &reduces_}) {
      lose_slots(*side, node);
      side->withdraw(node);
    }
  }
  void lose_slots(Side& side, NodeIndex node) {
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
    this->begin_records();
    policy_.begin(*this, ledger_.allocator());
    ledger_.decided();
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
      // Those that were never admitted may have waited for one that was.
      for (const bool admitted : {true, false}) {
        for (JobIndex job = 0; job < jobs_.size(); ++job) {
          if (jobs_[job].admitted == admitted) refuse_stuck(job);
        }
      }
    }
    result_.sum_up();
    result_.map_busy = ms(static_cast<std::int64_t>(maps_.busy));
    result_.reduce_busy = ms(static_cast<std::int64_t>(reduces_.busy));
  }
  // Whether the attempt had not ended when the simulation was stopped.
  [[nodiscard]] bool still_runs(const Side& side, std::uint32_t slot) const {
    const Running& attempt = side.on[slot];
    const bool reads = this->flows_ && side.kind != Kind::master && !attempt.fails &&
                       side.transfer[slot].flow != FlowNetwork::none;
    return !attempt.ends || attempt.until > now_ || reads;
  }
  // Masters outlast their jobs; of a simulation that was stopped, tasks run too.
  void close_records() {
    for (Side* const side : {&this->masters_, &maps_, &reduces_}) {
      for (std::uint32_t slot = 0; slot < side->slots(); ++slot) {
        const Running& attempt = side->on[slot];
        if (side->idle.contains(slot) || attempt.over) continue;
        if (result_.stopped && still_runs(*side, slot)) {
          this->close_record(*side, slot, now_, AttemptOutcome::running);
        } else {
          this->close_record(*side, slot, attempt.until,
                             attempt.fails ? AttemptOutcome::failed : AttemptOutcome::done);
        }
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
    for (Side* const side : {&maps_, &reduces_}) {
      for (std::uint32_t slot = 0; slot < side->slots(); ++slot) {
        const Running& attempt = side->on[slot];
        if (side->idle.contains(slot) || attempt.over) continue;
        side->use(attempt.until, still_runs(*side, slot) ? now_ : attempt.until);
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
  std::vector<std::uint32_t> away_;  // by node: outages that it is in
  std::size_t changed_ = 0;          // of model_.changes
};

}  // namespace wavewright::sim
