#include "wavewright/sim/nodes/obvious_slots.h"

#include <algorithm>

namespace wavewright::sim {

ObviousSlots::ObviousSlots(const Workload& workload, Policy& policy, const NodeModel& model)
    : ObviousAttempts(workload, policy, model) {
  for (NodeIndex node = 0; node < model.topology.size(); ++node) {
    for (const Kind kind : {Kind::map, Kind::reduce}) {
      for (Count slot = 0; slot < model.slots(node, kind); ++slot) add_slot(kind, node);
    }
  }
}

// With a place for each of the tasks that may share it.
void ObviousSlots::add_slot(Kind kind, NodeIndex node) {
  Slot slot;
  slot.kind = kind;
  slot.node = node;
  slot.slot = slots(kind).empty() ? 0 : slots(kind).back().slot + 1;
  for (slot.place = 0; slot.place < model_.places_of_slot(node, kind); ++slot.place)
    slots(kind).push_back(slot);
}

// Nothing runs on any of its places.
bool ObviousSlots::free(const Slot& slot) const {
  return std::none_of(slots(slot.kind).begin(), slots(slot.kind).end(),
                      [&](const Slot& each) { return each.busy && same_slot(each, slot); });
}

std::vector<ObviousAttempt*> ObviousSlots::running() {
  std::vector<ObviousAttempt*> found;
  for (const Kind kind : {Kind::map, Kind::reduce}) {
    for (Slot& slot : slots(kind)) {
      if (slot.busy) found.push_back(&slot);
    }
  }
  return found;
}

// When the end of the slot's task is known: at once, or at a heartbeat after the one that gave it.
bool ObviousSlots::reported(const Slot& slot) const {
  if (!slot.busy || slot.waits || slot.end > now_ || slot.reads_on()) return false;
  if (period() == Duration{}) return true;
  if (slot.known >= now_) return false;
  return model_.cluster.mode.out_of_band || beats(slot.node, now_);
}

void ObviousSlots::end_tasks(Kind kind) {
  for (Slot& slot : slots(kind)) {
    if (!reported(slot)) continue;
    slot.busy = false;
    cancel(slot);
    reported_.insert(slot.node);
    beat(slot.node);
    ++result_.events;
    if (slot.fails) {
      attempt_failed(kind, slot);
      continue;
    }
    JobState& state = jobs_[slot.job];
    if (ObviousAttempt* const twin = twin_of(slot)) {
      stop(slot_of(*twin), AttemptOutcome::killed, false);
    } else {
      std::erase(state.marked(kind), slot.task);
    }
    state.tasks(kind)[slot.task].state = TaskState::done;
    state.tasks(kind)[slot.task].ran_on = slot.node;
    if (kind == Kind::map) {
      tell_if_ready(slot.job);
      fetch_more(slot.job);
      settle_maps(slot.job);
    } else {
      settle(slot.job);
    }
    tell(Event::What::ended, slot.job, kind, slot.node);
  }
}

void ObviousSlots::attempt_failed(Kind kind, const Slot& slot) {
  JobState& state = jobs_[slot.job];
  TaskInfo& task = state.tasks(kind)[slot.task];
  count_failure(slot.job, slot.node);
  if (twin_of(slot) == nullptr) {
    std::erase(state.marked(kind), slot.task);
    task.state = TaskState::pending;
  }
  if (++task.failures >= model_.cluster.faults.max_attempts) fail(slot.job);
  tell(Event::What::lost, slot.job, kind, slot.node);
}

void ObviousSlots::fail(JobIndex index) {
  JobState& state = jobs_[index];
  state.failed = result_.jobs[index].failed = true;
  result_.jobs[index].finish = now_;
  for (const Kind kind : {Kind::map, Kind::reduce}) {
    for (TaskInfo& task : state.tasks(kind)) task.state = TaskState::done;
  }
  for (const Kind kind : {Kind::map, Kind::reduce}) {
    for (Slot& slot : slots(kind)) {
      if (slot.busy && slot.job == index) stop(slot, AttemptOutcome::killed, false);
    }
  }
  tell(Event::What::finished, index, Kind::reduce, 0);
  drop_successors(index);
}

// Ends an attempt before its time.
void ObviousSlots::stop(Slot& slot, AttemptOutcome outcome, bool again) {
  const Kind kind = slot.kind;
  count_stop(slot, outcome);
  slot.busy = slot.waits = slot.shares = false;
  if (again && twin_of(slot) == nullptr) std::erase(jobs_[slot.job].marked(kind), slot.task);
  if (again && twin_of(slot) == nullptr) jobs_[slot.job].tasks(kind)[slot.task].state = TaskState::pending;
  tell(Event::What::lost, slot.job, kind, slot.node);
}

void ObviousSlots::take_back() {
  while (!reclaims_.empty() && reclaims_.begin()->first == now_) {
    const Reclaim reclaim = reclaims_.begin()->second;
    reclaims_.erase(reclaims_.begin());
    for (Count i = 0; i < reclaim.count; ++i) {
      Slot* last = nullptr;
      for (Slot& slot : slots(reclaim.kind)) {
        if (slot.busy && slot.job == reclaim.job && (last == nullptr || slot.since >= last->since))
          last = &slot;
      }
      if (last == nullptr) break;
      for (Slot& slot : slots(reclaim.kind)) {
        if (slot.busy && same_slot(slot, *last)) stop(slot, AttemptOutcome::killed, true);
      }
    }
  }
}

void ObviousSlots::lose_attempts(NodeIndex node) {
  for (const Kind kind : {Kind::map, Kind::reduce}) {
    for (Slot& slot : slots(kind)) {
      if (slot.busy && slot.node == node) stop(slot, AttemptOutcome::lost, true);
    }
  }
}

void ObviousSlots::settle_maps(JobIndex index) {
  JobState& state = jobs_[index];
  if (!state.all_done(Kind::map) || state.maps_done) return;
  state.maps_done = now_;
  result_.jobs[index].maps_done = now_;
  run_reduces(index);
  settle(index);
}

void ObviousSlots::settle(JobIndex index) {
  JobState& state = jobs_[index];
  if (!state.maps_done || !state.all_done(Kind::reduce) || state.settled()) return;
  state.finished = true;
  result_.jobs[index].finish = now_ + model_.commit();
  tell(Event::What::finished, index, Kind::reduce, 0);
}

void ObviousSlots::tell_if_ready(JobIndex index) {
  if (!ready_for_reduces(index)) return;
  jobs_[index].reduces_ready = true;
  tell(Event::What::ready, index, Kind::reduce, 0);
}

Count ObviousSlots::holds(JobIndex index, Kind kind) const {
  std::set<std::uint32_t> held;
  for (const Slot& slot : slots(kind)) {
    if (slot.busy && slot.job == index) held.insert(slot.slot);
  }
  return static_cast<Count>(held.size());
}

bool ObviousSlots::runs_on(NodeIndex node, JobIndex index, Kind kind, std::uint32_t task) const {
  return std::any_of(slots(kind).begin(), slots(kind).end(), [&](const Slot& slot) {
    return slot.busy && slot.job == index && slot.task == task && slot.node == node;
  });
}

}  // namespace wavewright::sim
