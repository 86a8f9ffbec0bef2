// Slots in the reference engine: how tasks end on them, are reported, fail, are stopped and lost with their
// nodes, and the effects on their jobs. The engine decides who gets a slot.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "wavewright/sim/reference/reference_attempts.h"

namespace wavewright::sim {

class ReferenceSlots : protected ReferenceAttempts {
 protected:
  // A place for a task. A slot that tasks may share has several places with its number.
  struct Slot : ReferenceAttempt {
    bool busy = false;
    Time known{};  // when its attempt's end became known
  };

  ReferenceSlots(const Workload& workload, Policy& policy, const NodeModel& model);

  [[nodiscard]] std::vector<Slot>& places(Kind kind) {
    return kind == Kind::map ? map_slots_ : reduce_slots_;
  }
  [[nodiscard]] const std::vector<Slot>& places(Kind kind) const {
    return kind == Kind::map ? map_slots_ : reduce_slots_;
  }
  [[nodiscard]] static bool same_slot(const Slot& a, const Slot& b) {
    return a.kind == b.kind && a.slot == b.slot;
  }
  // True if nothing runs on any place of the slot.
  [[nodiscard]] bool free(const Slot& slot) const;
  [[nodiscard]] Count holds(JobIndex index, Kind kind) const override;
  [[nodiscard]] Count holds_on(JobIndex index, Kind kind, ClassId node_class) const override;
  [[nodiscard]] Count free_on(Kind kind, ClassId node_class) const override;
  [[nodiscard]] std::span<const std::uint32_t> free_slots(Kind kind) const override;
  [[nodiscard]] std::span<const Count> free_slots_of_classes(Kind kind) const override;
  [[nodiscard]] std::span<const std::uint64_t> free_nodes(ClassId node_class, Kind kind) const override;
  [[nodiscard]] Count size_of(JobIndex, Kind) const override { return 1; }
  [[nodiscard]] std::optional<Occupant> occupant(Kind kind, SlotIndex slot) const override;
  [[nodiscard]] bool runs_on(NodeIndex node, JobIndex index, Kind kind, std::uint32_t task) const override;
  using ReferenceAttempts::running;
  [[nodiscard]] std::vector<ReferenceAttempt*> running() override;

  void end_tasks(Kind kind);  // whose ends are reported at this instant
  void preempt();             // slots whose grace is over
  void lose_attempts(NodeIndex node) override;

  void settle_maps(JobIndex index);
  void tell_if_ready(JobIndex index);

  std::set<NodeIndex> reported_;  // nodes that reported an end at this instant

 private:
  void add_slot(Kind kind, NodeIndex node);
  [[nodiscard]] static Slot& slot_of(ReferenceAttempt& attempt) { return static_cast<Slot&>(attempt); }
  void end_is_known(ReferenceAttempt& attempt) override { slot_of(attempt).known = now_; }
  [[nodiscard]] bool reported(const Slot& slot) const;
  void attempt_failed(Kind kind, const Slot& slot);
  void fail(JobIndex index);
  // Stops an attempt; with `again` its task runs again, unless another attempt of it runs.
  void stop(Slot& slot, AttemptOutcome outcome, bool again);
  void settle(JobIndex index);

  std::vector<Slot> map_slots_, reduce_slots_;
  // The spans that the View showed last, by kind; and by class:
  mutable std::map<Kind, std::vector<std::uint32_t>> free_slots_;
  mutable std::map<Kind, std::vector<Count>> free_of_classes_;
  mutable std::map<std::pair<Kind, ClassId>, std::vector<std::uint64_t>> free_nodes_;
};

}  // namespace wavewright::sim
