// Application masters of simulated jobs: they start, ask for containers at their heartbeats, end with their
// jobs and are lost with their nodes [RMContainerAllocator].
#pragma once

#include <algorithm>
#include <optional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wavewright/sim/model/ramp_up.h"
#include "wavewright/sim/nodes/simulation.h"

namespace wavewright::sim {

// The engine's account of containers.
class ContainerRoom {
 public:
  virtual ~ContainerRoom() = default;
  // An attempt has ended and its master knows; the room is free once the node reports it.
  virtual void wait_for_report(SlotTable& table, std::uint32_t slot) = 0;
  virtual void reported(Kind kind, std::uint32_t slot) = 0;
  // Free memory of the nodes that are present, MiB.
  [[nodiscard]] virtual Count free_memory() const = 0;
  virtual void vacate(SlotTable& table, std::uint32_t slot) = 0;
  // The job asks for nothing now: its reservations end.
  virtual void unreserve(JobIndex job) = 0;
};

class ApplicationMasters {
 public:
  ApplicationMasters(Simulation& parts, ContainerRoom& room, const ClusterOptions& options)
      : w_(parts.world),
        runner_(parts.runner),
        lifecycle_(parts.lifecycle),
        clock_(parts.clock),
        allocation_(parts.allocation),
        room_(room),
        heartbeat_(static_cast<std::uint64_t>(to_ms(w_.model.cluster.masters.heartbeat))) {
    if (options.trace) w_.masters.record.resize(w_.masters.slots());
  }

  [[nodiscard]] static std::size_t at(Kind kind) { return static_cast<std::size_t>(kind); }

  // ---- masters

  void admitted(JobIndex index);
  void ask_for_master(JobIndex index);

  void start_master(NodeIndex node, JobIndex index);
  void launched(std::uint32_t slot) {
    w_.masters.queue.set(
        slot, w_.masters.work[slot].launched + AttemptRunner::length(w_.model.cluster.masters.start));
  }

  // Handles masters that come up or end at this instant.
  void master_ends();
  void master_is_up(JobIndex index);
  // The job is over; its master ends after commit and stop.
  void settled(JobIndex index);
  // The master is lost: its job's running tasks stop too; what is done stays done.
  void lose_master(std::uint32_t slot);

  // ---- requests of a master, at its heartbeats

  // The first heartbeat of the job's master at or after `instant`, which is not before it was up.
  [[nodiscard]] std::uint64_t heartbeat_from(const NodeJob& state, std::uint64_t instant) const {
    return state.master_up + (instant - state.master_up + heartbeat_ - 1) / heartbeat_ * heartbeat_;
  }
  // Plans the master's next review: at most one per instant, before containers are given out.
  void schedule_review(JobIndex index) {
    NodeJob& state = w_.jobs[index];
    if (state.master_up == NodeJob::never || state.settled) return;
    const std::uint64_t due = heartbeat_from(state, reviewed_ == w_.now_ms ? w_.now_ms + 1 : w_.now_ms);
    if (due >= state.review) return;
    state.review = due;
    reviews_.push({due, index});
  }
  void reviews() {
    if (reviewed_ == w_.now_ms) return;
    reviewed_ = w_.now_ms;
    while (!reviews_.empty() && reviews_.top().first == w_.now_ms) {
      const JobIndex index = reviews_.top().second;
      reviews_.pop();
      if (w_.jobs[index].review != w_.now_ms) continue;
      w_.jobs[index].review = NodeJob::never;
      if (!w_.jobs[index].settled) review(index);
    }
  }
  void review(JobIndex index);
  // Stops the job's last started reduces, at most `most`; returns how many. A reduce that has ended and is
  // not yet reported holds its container too, but cannot be stopped.
  Count stop_reduces(JobIndex index, Count most);
  // Plans another review while the requests may change without anything happening to the job.
  void review_again(JobIndex index);
  [[nodiscard]] static Count wanted(const NodeJob& state, Kind kind) {
    Count wanted = state.tasks(kind).pending;
    if (state.attempts) wanted += static_cast<Count>(state.attempts->of(kind).marked.size());
    return wanted;
  }
  [[nodiscard]] static Count allowed(const NodeJob& state, Kind kind) {
    return std::max<Count>(0, state.cap[at(kind)] - state.held[at(kind)]);
  }
  // Map requests that have waited longer than this, while the job has no map.
  [[nodiscard]] Count maps_waiting(const NodeJob& state, std::optional<Duration> longer) const;
  [[nodiscard]] RampUp ramp_up(JobIndex index) const;

  void has_work(JobIndex index) { schedule_review(index); }
  void has_less_work(JobIndex index, Kind kind) {
    NodeJob& state = w_.jobs[index];
    Count& asked = state.asked[at(kind)];
    asked = std::min(asked, wanted(state, kind));
    if (kind == Kind::reduce) state.decided = std::min(state.decided, wanted(state, kind));
    list(index);
  }
  void cap_changed(JobIndex index);
  // The job is in the tree while it has requests.
  void list(JobIndex index) {
    const NodeJob& state = w_.jobs[index];
    if (state.asked[0] + state.asked[1] + state.asked[2] > 0) {
      w_.tree().add(index);
    } else {
      w_.tree().remove(index);
      if (state.reserved > 0) room_.unreserve(index);
    }
  }

  [[nodiscard]] std::uint64_t next_review() const {
    return reviews_.empty() ? NodeJob::never : reviews_.top().first;
  }
  [[nodiscard]] JobIndex next_to_ask() const { return reviews_.top().second; }
  // True if more happened at this instant than masters that repeat their requests.
  [[nodiscard]] bool changed() const { return changed_; }
  void set_changed(bool changed) { changed_ = changed; }
  void count_end() { ++ends_; }

 private:
  World& w_;
  AttemptRunner& runner_;
  JobLifecycle& lifecycle_;
  PolicyClock& clock_;
  Allocation& allocation_;
  ContainerRoom& room_;
  const std::uint64_t heartbeat_;
  bool changed_ = false;    // see changed()
  std::uint64_t ends_ = 0;  // ends of tasks' attempts
  std::unordered_map<JobIndex, StoppedInVain> stopped_in_vain_;
  std::uint64_t reviewed_ = NodeJob::never;  // instant of the last reviews
  using Due = std::pair<std::uint64_t, JobIndex>;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> reviews_;
};

}  // namespace wavewright::sim
