#include "wavewright/sim/reference/reference_slots.h"

#include <algorithm>

namespace wavewright::sim {

ReferenceSlots::ReferenceSlots(const Workload& workload, Policy& policy, const NodeModel& model)
    : ReferenceAttempts(workload, policy, model) {
  for (NodeIndex node = 0; node < model.topology.size(); ++node) {
    for (const Kind kind : {Kind::map, Kind::reduce}) {
      for (Count slot = 0; slot < model.slots(node, kind); ++slot) add_slot(kind, node);
    }
  }
}

// Adds a slot with a place for each of the tasks that may share it.
void ReferenceSlots::add_slot(Kind kind, NodeIndex node) {
  Slot slot;
  slot.kind = kind;
  slot.node = node;
  slot.slot = places(kind).empty() ? 0 : places(kind).back().slot + 1;
  for (slot.place = 0; slot.place < model_.places_of_slot(node, kind); ++slot.place)
    places(kind).push_back(slot);
}

bool ReferenceSlots::free(const Slot& slot) const {
  return std::none_of(places(slot.kind).begin(), places(slot.kind).end(),
                      [&](const Slot& each) { return each.busy && same_slot(each, slot); });
}

std::vector<ReferenceAttempt*> ReferenceSlots::running() {
  std::vector<ReferenceAttempt*> found;
  for (const Kind kind : {Kind::map, Kind::reduce}) {
    for (Slot& slot : places(kind)) {
      if (slot.busy) found.push_back(&slot);
    }
  }
  return found;
}

// True if the end is reported now: at once, or at a heartbeat after the instant at which it became known.
bool ReferenceSlots::reported(const Slot& slot) const {
  if (!slot.busy || slot.waits || slot.end > now_ || slot.reads_on()) return false;
  if (period() == Duration{}) return true;
  if (slot.known >= now_) return false;
  return model_.cluster.mode.out_of_band || beats(slot.node, now_);
}

void ReferenceSlots::end_tasks(Kind kind) {
  for (Slot& slot : places(kind)) {
    if (!reported(slot)) continue;
    slot.busy = false;
    cancel(slot);
    reported_.insert(slot.node);
    heartbeat(slot.node);
    ++result_.events;
    if (slot.fails) {
      attempt_failed(kind, slot);
      continue;
    }
    JobState& state = jobs_[slot.job];
    if (ReferenceAttempt* const twin = twin_of(slot)) {
      stop(slot_of(*twin), AttemptOutcome::killed, false);
    } else {
      std::erase(state.marked(kind), slot.task);
    }
    state.tasks(kind)[slot.task].state = TaskState::done;
    state.tasks(kind)[slot.task].ran_on = slot.node;
    state.tasks(kind)[slot.task].ran_in = slot.slot;
    state.tasks(kind)[slot.task].took = slot.end - slot.since;
    if (kind == Kind::map) {
      tell_if_ready(slot.job);
      fetch_more(slot.job);
      settle_maps(slot.job);
    } else {
      settle(slot.job);
    }
    tell(Event::What::ended, slot);
  }
}

void ReferenceSlots::attempt_failed(Kind kind, const Slot& slot) {
  JobState& state = jobs_[slot.job];
  TaskInfo& task = state.tasks(kind)[slot.task];
  count_failure(slot.job, slot.node);
  if (twin_of(slot) == nullptr) {
    std::erase(state.marked(kind), slot.task);
    task.state = TaskState::pending;
  }
  if (++task.failures >= model_.cluster.faults.max_attempts) fail(slot.job);
  tell(Event::What::lost, slot, AttemptOutcome::failed);
}

void ReferenceSlots::fail(JobIndex index) {
  JobState& state = jobs_[index];
  state.failed = result_.jobs[index].failed = true;
  result_.jobs[index].finish = now_;
  for (const Kind kind : {Kind::map, Kind::reduce}) {
    for (TaskInfo& task : state.tasks(kind)) task.state = TaskState::done;
  }
  for (const Kind kind : {Kind::map, Kind::reduce}) {
    for (Slot& slot : places(kind)) {
      if (slot.busy && slot.job == index) stop(slot, AttemptOutcome::killed, false);
    }
  }
  ledger_.over(index);
  tell(
      {.what = Event::What::finished, .kind = Kind::reduce, .outcome = AttemptOutcome::failed, .job = index});
  drop_successors(index);
}

void ReferenceSlots::stop(Slot& slot, AttemptOutcome outcome, bool again) {
  const Kind kind = slot.kind;
  count_stop(slot, outcome);
  slot.busy = slot.waits = slot.shares = false;
  if (again && twin_of(slot) == nullptr) std::erase(jobs_[slot.job].marked(kind), slot.task);
  if (again && twin_of(slot) == nullptr) jobs_[slot.job].tasks(kind)[slot.task].state = TaskState::pending;
  tell(Event::What::lost, slot, outcome);
}

void ReferenceSlots::preempt() {
  while (const std::optional<Preemption> due = ledger_.preemptions().pop(now_)) {
    for (Count i = 0; i < due->count; ++i) {
      Slot* last = nullptr;
      for (Slot& slot : places(due->kind)) {
        if (due->node_class != any_class && node_class(slot.node) != due->node_class) continue;
        if (slot.busy && slot.job == due->job && (last == nullptr || slot.since >= last->since)) last = &slot;
      }
      if (last == nullptr) break;
      for (Slot& slot : places(due->kind)) {
        if (slot.busy && same_slot(slot, *last)) stop(slot, AttemptOutcome::killed, true);
      }
    }
  }
}

void ReferenceSlots::lose_attempts(NodeIndex node) {
  for (const Kind kind : {Kind::map, Kind::reduce}) {
    for (Slot& slot : places(kind)) {
      if (slot.busy && slot.node == node) stop(slot, AttemptOutcome::lost, true);
    }
  }
}

void ReferenceSlots::settle_maps(JobIndex index) {
  JobState& state = jobs_[index];
  if (!state.all_done(Kind::map) || state.maps_done) return;
  state.maps_done = now_;
  result_.jobs[index].maps_done = now_;
  run_reduces(index);
  settle(index);
}

void ReferenceSlots::settle(JobIndex index) {
  JobState& state = jobs_[index];
  if (!state.maps_done || !state.all_done(Kind::reduce) || state.settled()) return;
  state.finished = true;
  result_.jobs[index].finish = now_ + model_.commit();
  ledger_.over(index);
  tell({.what = Event::What::finished, .kind = Kind::reduce, .job = index});
}

void ReferenceSlots::tell_if_ready(JobIndex index) {
  if (!ready_for_reduces(index)) return;
  jobs_[index].reduces_ready = true;
  tell({.what = Event::What::ready, .kind = Kind::reduce, .job = index});
}

Count ReferenceSlots::holds(JobIndex index, Kind kind) const {
  std::set<std::uint32_t> held;
  for (const Slot& slot : places(kind)) {
    if (slot.busy && slot.job == index) held.insert(slot.slot);
  }
  return static_cast<Count>(held.size());
}

Count ReferenceSlots::holds_on(JobIndex index, Kind kind, ClassId node_class) const {
  std::set<std::uint32_t> held;
  for (const Slot& slot : places(kind)) {
    if (slot.busy && slot.job == index && this->node_class(slot.node) == node_class) held.insert(slot.slot);
  }
  return static_cast<Count>(held.size());
}

Count ReferenceSlots::free_on(Kind kind, ClassId node_class) const {
  std::set<std::uint32_t> found;
  for (const Slot& slot : places(kind)) {
    if (this->node_class(slot.node) == node_class && !is_closed(slot.node) && free(slot))
      found.insert(slot.slot);
  }
  return static_cast<Count>(found.size());
}

std::span<const std::uint32_t> ReferenceSlots::free_slots(Kind kind) const {
  std::vector<std::uint32_t>& found = free_slots_[kind];
  found.assign(nodes(), 0);
  for (const Slot& slot : places(kind)) found[slot.node] += slot.place == 0 && free(slot) ? 1U : 0U;
  return found;
}

std::span<const Count> ReferenceSlots::free_slots_of_classes(Kind kind) const {
  std::vector<Count>& found = free_of_classes_[kind];
  found.clear();
  for (ClassId c = 0; c < classes(); ++c) found.push_back(free_on(kind, c));
  return found;
}

std::span<const std::uint64_t> ReferenceSlots::free_nodes(ClassId node_class, Kind kind) const {
  std::vector<std::uint64_t>& found = free_nodes_[{kind, node_class}];
  found.assign((nodes() + 63) / 64, 0);
  for (const Slot& slot : places(kind)) {
    if (this->node_class(slot.node) == node_class && !is_closed(slot.node) && free(slot))
      found[slot.node / 64] |= std::uint64_t{1} << (slot.node % 64);
  }
  return found;
}

std::optional<Occupant> ReferenceSlots::occupant(Kind kind, SlotIndex slot) const {
  for (const Slot& held : places(kind)) {
    if (!held.busy || held.slot != slot) continue;
    return Occupant{held.job, held.task, held.node, held.since,
                    held.since + estimate(held.job, kind, node_class(held.node)).mean};
  }
  return std::nullopt;
}

bool ReferenceSlots::runs_on(NodeIndex node, JobIndex index, Kind kind, std::uint32_t task) const {
  return std::any_of(places(kind).begin(), places(kind).end(), [&](const Slot& slot) {
    return slot.busy && slot.job == index && slot.task == task && slot.node == node;
  });
}

}  // namespace wavewright::sim
