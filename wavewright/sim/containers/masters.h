// Application masters in the simulation of containers: they start, ask for containers at their heartbeats,
// end with their jobs and are lost with their nodes. What becomes of the asking is the engine's matter
// (engine.h).
#pragma once

#include <algorithm>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wavewright/sim/model/ramp_up.h"
#include "wavewright/sim/nodes/offers.h"

namespace wavewright::sim {

class Masters : protected Offers {
 protected:
  using Course = JobCourse;
  using State = ClusterState;
  using Course::commit_;
  using Course::jobs_;
  using Course::launch_;
  using Course::maps_;
  using Course::model_;
  using Course::never;
  using Course::now;
  using Course::now_;
  using Course::reduces_;
  using Course::result_;
  using Course::tell;
  using Offers::passes_;
  using State::masters_;
  using State::tree;

  Masters(const Workload& workload, Policy& policy, const NodeModel& model, const ClusterOptions& options)
      : Offers(workload, policy, model, options),
        beat_(static_cast<std::uint64_t>(to_ms(model.cluster.masters.heartbeat))) {
    if (options.trace) masters_.record.resize(masters_.slots());
  }

  [[nodiscard]] static std::size_t at(Kind kind) { return static_cast<std::size_t>(kind); }

  // Its end is known to the master; its room is free once its node has reported it.
  virtual void wait_for_report(Side& side, std::uint32_t slot) = 0;
  // The node has reported it.
  virtual void reported(Kind kind, std::uint32_t slot) = 0;
  // Memory of the nodes that are there that nothing holds, MiB.
  [[nodiscard]] virtual Count free_memory() const = 0;

  // ---- masters

  void admitted(JobIndex index) override {
    NodeJob& state = jobs_[index];
    state.admitted = true;
    for (const Kind kind : {Kind::master, Kind::map, Kind::reduce})
      state.request[at(kind)] = model_.request(*state.job, kind);
    ask_for_master(index);
  }
  void ask_for_master(JobIndex index) {
    NodeJob& state = jobs_[index];
    state.asked[at(Kind::master)] = state.cap[at(Kind::master)] > 0 ? 1 : 0;
    list(index);
  }

  void start_master(NodeIndex node, JobIndex index) {
    NodeJob& state = jobs_[index];
    const std::uint32_t slot = masters_.occupy(node);
    masters_.on[slot] = {.job = index, .attempt = state.masters_started++, .since = now_};
    state.master = slot;
    this->begin_record(masters_, slot);
    this->launch(masters_, slot, now_ + launch_);
  }
  void launched(Side& side, std::uint32_t slot) override {
    if (side.kind != Kind::master) return Course::launched(side, slot);
    masters_.queue.set(slot, masters_.on[slot].launched + Course::length(model_.cluster.masters.start));
  }

  // Masters that begin to ask, or that end.
  void master_ends() {
    while (!masters_.queue.empty() && masters_.queue.first_instant() == now_) {
      const std::uint32_t slot = masters_.queue.first_slot();
      if (masters_.on[slot].over) {
        masters_.queue.clear(slot);
        reported(Kind::master, slot);
        continue;
      }
      const JobIndex index = masters_.on[slot].job;
      if (jobs_[index].settled) {
        ++result_.events;
        this->close_record(masters_, slot, now_, AttemptOutcome::done);
        wait_for_report(masters_, slot);
      } else {
        masters_.queue.clear(slot);
        master_is_up(index);
      }
    }
  }
  void master_is_up(JobIndex index) {
    NodeJob& state = jobs_[index];
    state.master_up = now_;
    schedule_review(index);
    if (!state.begun) this->begin_tasks(index);
    state.begun = true;
  }
  // The job is over, and with it, in a while, its master.
  void settled(JobIndex index) override {
    Course::settled(index);
    const NodeJob& state = jobs_[index];
    if (state.master == Running::alone) return;
    const Duration stop = commit_ + model_.cluster.masters.stop;
    const std::uint64_t end = now_ + Course::length(stop);
    masters_.on[state.master].until = end;
    masters_.queue.set(state.master, end);
  }
  // With it go its job's running tasks; what is done stays done.
  void lose_master(std::uint32_t slot) {
    const JobIndex index = masters_.on[slot].job;
    NodeJob& state = jobs_[index];
    ++result_.events;
    this->cancel(masters_, slot);
    this->vacate(masters_, slot);
    this->close_record(masters_, slot, now_, state.settled ? AttemptOutcome::done : AttemptOutcome::lost);
    if (state.settled) return tell(Event::What::ended, masters_, slot);
    ++result_.jobs[index].lost_attempts;
    state.master = Running::alone;
    state.master_up = never;
    state.review = never;
    state.asked[at(Kind::map)] = state.asked[at(Kind::reduce)] = 0;
    this->stop_all(index, true);
    ask_for_master(index);
    tell(Event::What::lost, masters_, slot, AttemptOutcome::lost);
  }

  // ---- what a master asks for, at its heartbeats

  // The first heartbeat of the job's master from `instant` on, which is not before it was up.
  [[nodiscard]] std::uint64_t beat_from(const NodeJob& state, std::uint64_t instant) const {
    return state.master_up + (instant - state.master_up + beat_ - 1) / beat_ * beat_;
  }
  // A master asks once an instant, before containers are given out.
  void schedule_review(JobIndex index) {
    NodeJob& state = jobs_[index];
    if (state.master_up == never || state.settled) return;
    const std::uint64_t due = beat_from(state, reviewed_ == now_ ? now_ + 1 : now_);
    if (due >= state.review) return;
    state.review = due;
    reviews_.push({due, index});
  }
  void reviews() {
    if (reviewed_ == now_) return;
    reviewed_ = now_;
    while (!reviews_.empty() && reviews_.top().first == now_) {
      const JobIndex index = reviews_.top().second;
      reviews_.pop();
      if (jobs_[index].review != now_) continue;
      jobs_[index].review = never;
      if (!jobs_[index].settled) review(index);
    }
  }
  void review(JobIndex index) {
    NodeJob& state = jobs_[index];
    Count& maps = state.asked[at(Kind::map)];
    Count& reduces = state.asked[at(Kind::reduce)];
    const std::pair before(maps, reduces);
    const bool wanted_before = this->has_pending_request(index);
    Count stopped = 0;
    maps = std::min(wanted(state, Kind::map), allowed(state, Kind::map));
    if (state.reduces_ready) {
      const RampUp ramp = ramp_up(index);
      const Count to_stop = reduces_to_stop(ramp);
      reduces = to_stop > 0 ? 0 : std::min(reduces_to_ask(ramp), allowed(state, Kind::reduce));
      stopped = stop_reduces(index, to_stop);
      if (stopped > 0 && stopped_in_vain_[index].again(ends_)) refuse_stopped_in_vain(state.job->id);
    }
    list(index);
    if (!wanted_before && this->has_pending_request(index))
      tell({.what = Event::What::ready, .kind = maps > 0 ? Kind::map : Kind::reduce, .job = index});
    // What a master asks for may swing for ever without a container that is given: no progress by itself.
    ++passes_;
    if (before != std::pair(maps, reduces) || stopped > 0) changed_ = true;
    review_again(index);
  }
  // Stops the job's last started reduces, so many or all that run: one that is over and not reported holds
  // its container too. Their number.
  Count stop_reduces(JobIndex index, Count most) {
    for (Count stopped = 0; stopped < most; ++stopped) {
      const std::uint32_t slot = this->last_started(reduces_, index);
      if (slot == NumberSet::none) return stopped;
      this->stop_slot(reduces_, slot);
    }
    return most;
  }
  // As long as the answer may change without anything happening to the job.
  void review_again(JobIndex index) {
    const NodeJob& state = jobs_[index];
    if (state.asked[at(Kind::map)] == 0 || !state.reduces_ready) return;
    const bool ramping = state.asked[at(Kind::reduce)] < wanted(state, Kind::reduce);
    const bool starved = state.held[at(Kind::map)] == 0 && state.held[at(Kind::reduce)] > 0;
    if (ramping || starved) schedule_review(index);
  }
  [[nodiscard]] static Count wanted(const NodeJob& state, Kind kind) {
    Count wanted = state.tasks(kind).pending;
    if (state.attempts) wanted += static_cast<Count>(state.attempts->of(kind).marked.size());
    return wanted;
  }
  [[nodiscard]] static Count allowed(const NodeJob& state, Kind kind) {
    return std::max<Count>(0, state.cap[at(kind)] - state.held[at(kind)]);
  }
  [[nodiscard]] RampUp ramp_up(JobIndex index) const {
    const NodeJob& state = jobs_[index];
    return {.maps = state.maps.count,
            .maps_done = state.maps.count - state.maps.left,
            .maps_asked = state.asked[at(Kind::map)],
            .maps_held = state.held[at(Kind::map)],
            .reduces_wanted = wanted(state, Kind::reduce),
            .reduces_asked = state.asked[at(Kind::reduce)],
            .reduces_held = state.held[at(Kind::reduce)],
            .map_memory = state.request[at(Kind::map)].memory,
            .reduce_memory = state.request[at(Kind::reduce)].memory,
            .headroom = std::min(free_memory(), tree().headroom(index)),
            .limit = model_.cluster.masters.ramp_up,
            .cores = model_.cores_seen(this->cores().free)};
  }

  void has_work(JobIndex index, Kind) override { schedule_review(index); }
  void has_less_work(JobIndex index, Kind kind) override {
    NodeJob& state = jobs_[index];
    Count& asked = state.asked[at(kind)];
    asked = std::min(asked, wanted(state, kind));
    list(index);
  }
  void cap_changed(JobIndex index) override {
    const NodeJob& state = jobs_[index];
    const bool waits = state.master == Running::alone && state.held[at(Kind::master)] == 0;
    if (state.admitted && !state.settled && waits) ask_for_master(index);
    schedule_review(index);
  }
  // The job stands in the tree while it asks for something.
  void list(JobIndex index) {
    const NodeJob& state = jobs_[index];
    if (state.asked[0] + state.asked[1] + state.asked[2] > 0) {
      tree().add(index);
    } else {
      tree().remove(index);
    }
  }

  const std::uint64_t beat_;
  bool changed_ = false;    // at this instant: more than masters that ask for what they asked for before
  std::uint64_t ends_ = 0;  // of tasks' attempts
  std::unordered_map<JobIndex, StoppedInVain> stopped_in_vain_;
  std::uint64_t reviewed_ = never;  // the instant at which masters asked last
  using Due = std::pair<std::uint64_t, JobIndex>;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> reviews_;
};

}  // namespace wavewright::sim
