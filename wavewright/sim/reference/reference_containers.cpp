#include "wavewright/sim/reference/reference_containers.h"

#include <algorithm>
#include <utility>

namespace wavewright::sim {

// ---- containers end
bool ReferenceContainers::is_there(Containers::iterator container) {
  for (auto each = containers_.begin(); each != containers_.end(); ++each) {
    if (each == container) return true;
  }
  return false;
}

void ReferenceContainers::end_containers(Kind kind) {
  for (;;) {
    const auto due = those(
        kind, [&](const Container& c) { return !c.waits && !c.over && c.end == now_ && !c.reads_on(); });
    if (due.empty()) return;
    if (kind == Kind::master) {
      end_of_master(*due.front());
      continue;
    }
    ++result_.events;
    ++ends_;
    cancel(*due.front());
    const Container ended = *due.front();
    if (shared(ended)) {
      containers_.erase(due.front());  // other tasks share the container
    } else {
      due.front()->over = true;
    }
    end_task(kind, ended);
  }
}

void ReferenceContainers::end_task(Kind kind, const Container& each) {
  if (each.fails) return attempt_failed(kind, each);
  JobState& state = jobs_[each.job];
  if (const ReferenceAttempt* const twin = twin_of(each)) {
    stop(place_of(*twin), AttemptOutcome::killed, false);
  } else {
    unmark(each.job, kind, each.task);
  }
  state.tasks(kind)[each.task].state = TaskState::done;
  state.tasks(kind)[each.task].ran_on = each.node;
  state.tasks(kind)[each.task].ran_in = each.slot;
  state.tasks(kind)[each.task].took = each.end - each.since;
  if (kind == Kind::map) {
    tell_if_ready(each.job);
    fetch_more(each.job);
    settle_maps(each.job);
  } else {
    settle(each.job);
  }
}

void ReferenceContainers::end_of_master(Container& master) {
  JobState& state = jobs_[master.job];
  if (state.settled()) {
    ++result_.events;
    master.over = true;
    return;
  }
  master.waits = true;
  state.up = now_;
  result_.jobs[master.job].master_up = now_;
  if (std::exchange(state.begun, true)) return;
  tell_if_ready(master.job);
  settle_maps(master.job);
}

// Room is free when the node reports, which is not at the heartbeat that gave it.
void ReferenceContainers::report(Kind kind) {
  for (const auto each : those(kind, [](const Container& c) { return c.over; })) {
    if (period() != Duration{} && each->since >= now_) continue;
    if (!mode_.out_of_band && !beats(each->node, now_)) continue;
    const Container gone = *each;
    containers_.erase(each);
    reported_.insert(gone.node);
    heartbeat(gone.node);
    tell(Event::What::ended, gone);
  }
}

void ReferenceContainers::attempt_failed(Kind kind, const Container& each) {
  JobState& state = jobs_[each.job];
  TaskInfo& task = state.tasks(kind)[each.task];
  const JobIndex index = each.job;
  count_failure(index, each.node);
  if (twin_of(each) == nullptr) {
    unmark(index, kind, each.task);
    run_again(index, kind, each.task, AttemptOutcome::failed);
  }
  if (++task.failures >= model_.cluster.faults.max_attempts) fail(index);
  tell(Event::What::lost, each, AttemptOutcome::failed);
}

bool ReferenceContainers::shared(const Container& container) const {
  return std::count_if(containers_.begin(), containers_.end(), [&](const Container& each) {
           return each.kind == container.kind && each.slot == container.slot;
         }) > 1;
}

bool ReferenceContainers::leads(const Container& container) const {
  return std::none_of(containers_.begin(), containers_.end(), [&](const Container& each) {
    return each.kind == container.kind && each.slot == container.slot && each.place < container.place;
  });
}

ReferenceContainers::Containers::iterator ReferenceContainers::place_of(const ReferenceAttempt& attempt) {
  return std::find_if(containers_.begin(), containers_.end(),
                      [&](const Container& each) { return &each == &attempt; });
}

void ReferenceContainers::unmark(JobIndex index, Kind kind, std::uint32_t task) {
  JobState& state = jobs_[index];
  if (std::erase(state.marked(kind), task) > 0) state.ask_less(kind);
}

void ReferenceContainers::fail(JobIndex index) {
  JobState& state = jobs_[index];
  state.failed = result_.jobs[index].failed = true;
  result_.jobs[index].finish = now_;
  for (const Kind kind : {Kind::map, Kind::reduce}) {
    for (TaskInfo& task : state.tasks(kind)) task.state = TaskState::done;
    state.marked(kind).clear();
    state.asked(kind) = 0;
  }
  end_master(index);
  stop_all(index, false);
  ledger_.over(index);
  tell(
      {.what = Event::What::finished, .kind = Kind::reduce, .outcome = AttemptOutcome::failed, .job = index});
  drop_successors(index);
}

void ReferenceContainers::stop_all(JobIndex index, bool again) {
  for (const Kind kind : {Kind::map, Kind::reduce}) {
    for (const auto each : those(kind, [&](const Container& c) { return c.job == index && !c.over; }))
      stop(each, AttemptOutcome::killed, again);
  }
}

void ReferenceContainers::end_master(JobIndex index) {
  for (Container& each : containers_) {
    if (each.kind != Kind::master || each.job != index || each.over) continue;
    each.waits = false;
    each.end = now_ + model_.cluster.masters.finish + model_.cluster.masters.stop;
    result_.trace[each.record].end = each.end;
  }
}

void ReferenceContainers::stop(Containers::iterator container, AttemptOutcome outcome, bool again) {
  const Container each = *container;
  const bool twin = twin_of(*container) != nullptr;
  count_stop(*container, outcome);
  containers_.erase(container);
  if (again && !twin) {
    unmark(each.job, each.kind, each.task);
    run_again(each.job, each.kind, each.task, outcome);
  }
  tell(Event::What::lost, each, outcome);
}

void ReferenceContainers::stop_all_of(const Container& container) {
  const std::uint32_t slot = container.slot;
  for (const auto each : those(container.kind, [&](const Container& c) { return c.slot == slot; }))
    stop(each, AttemptOutcome::killed, true);
}

std::vector<ReferenceAttempt*> ReferenceContainers::running() {
  std::vector<ReferenceAttempt*> found;
  for (const Kind kind : all_kinds) {
    for (const auto each : those(kind, [](const Container& c) { return !c.over; })) found.push_back(&*each);
  }
  return found;
}

// ---- nodes leave
void ReferenceContainers::lose_attempts(NodeIndex node) {
  end_reservation(node);
  for (const Kind kind : all_kinds) {
    for (const auto each : those(kind, [&](const Container& c) { return c.node == node; })) {
      if (!is_there(each)) continue;  // it was stopped with its master
      if (each->over) {
        const Container gone = *each;
        containers_.erase(each);
        tell(Event::What::ended, gone);
      } else if (kind == Kind::master) {
        lose_master(each);
      } else {
        stop(each, AttemptOutcome::lost, true);
      }
    }
  }
}

void ReferenceContainers::lose_master(Containers::iterator master) {
  const Container gone = *master;
  JobState& state = jobs_[gone.job];
  ++result_.events;
  result_.trace[gone.record].end = now_;
  cancel(*master);
  containers_.erase(master);
  if (state.settled()) return tell(Event::What::ended, gone);
  result_.trace[gone.record].outcome = AttemptOutcome::lost;
  ++result_.jobs[gone.job].lost_attempts;
  state.up.reset();
  for (const Kind kind : {Kind::map, Kind::reduce}) state.asked(kind) = 0;
  state.decided = 0;
  end_reservations_of(gone.job);
  stop_all(gone.job, true);
  state.failed_maps.clear();
  ask_for_master(gone.job);
  tell(Event::What::lost, gone, AttemptOutcome::lost);
}

// ---- jobs
void ReferenceContainers::settle_maps(JobIndex index) {
  JobState& state = jobs_[index];
  if (!state.up || state.maps_done) return;
  if (!state.all_done(Kind::map)) return;
  state.maps_done = now_;
  result_.jobs[index].maps_done = now_;
  run_reduces(index);
  settle(index);
}

void ReferenceContainers::settle(JobIndex index) {
  JobState& state = jobs_[index];
  if (!state.maps_done || state.settled()) return;
  if (!state.all_done(Kind::reduce)) return;
  state.finished = true;
  result_.jobs[index].finish = now_ + model_.cluster.masters.finish;
  end_master(index);
  ledger_.over(index);
  tell({.what = Event::What::finished, .kind = Kind::reduce, .job = index});
}

void ReferenceContainers::tell_if_ready(JobIndex index) {
  if (!jobs_[index].up || !ready_for_reduces(index)) return;
  jobs_[index].reduces_ready = true;
  tell({.what = Event::What::ready, .kind = Kind::reduce, .job = index});
}

Count ReferenceContainers::holds(JobIndex index, Kind kind) const {
  return std::count_if(containers_.begin(), containers_.end(), [&](const Container& each) {
    return each.kind == kind && each.job == index && leads(each);
  });
}

Count ReferenceContainers::holds_on(JobIndex index, Kind kind, ClassId node_class) const {
  return std::count_if(containers_.begin(), containers_.end(), [&](const Container& each) {
    return each.kind == kind && each.job == index && this->node_class(each.node) == node_class && leads(each);
  });
}

Count ReferenceContainers::free_on(Kind, ClassId node_class) const {
  Count memory = 0;
  for (NodeIndex node = 0; node < model_.topology.size(); ++node)
    memory += is_closed(node) || this->node_class(node) != node_class ? 0 : room(node).memory;
  return memory;
}

std::optional<Occupant> ReferenceContainers::occupant(Kind kind, SlotIndex slot) const {
  const Container* found = nullptr;
  for (const Container& each : containers_) {
    if (each.kind == kind && each.slot == slot && (found == nullptr || each.place < found->place))
      found = &each;
  }
  if (found == nullptr) return std::nullopt;
  return Occupant{found->job, found->task, found->node, found->since,
                  found->since + estimate(found->job, kind, node_class(found->node)).mean};
}

const ReferenceAttempt* ReferenceContainers::last_started(JobIndex index, Kind kind, ClassId on) {
  const ReferenceAttempt* last = nullptr;
  for (const ReferenceAttempt* const each : running(index, kind)) {
    if (on != any_class && node_class(each->node) != on) continue;
    if (last == nullptr || each->since >= last->since) last = each;
  }
  return last;
}

// Kills the job's last started containers.
void ReferenceContainers::preempt() {
  while (const std::optional<Preemption> due = ledger_.preemptions().pop(now_)) {
    for (Count i = 0; i < due->count; ++i) {
      const ReferenceAttempt* const last = last_started(due->job, due->kind, due->node_class);
      if (last == nullptr) break;
      stop_all_of(*place_of(*last));
    }
  }
}

SortedOrder::Held ReferenceContainers::memory_held() const {
  return [this](JobIndex index) {
    Count memory = 0;
    for (const Container& each : containers_)
      memory += each.job == index && leads(each) ? request(index, each.kind).memory : 0;
    return memory;
  };
}

ReferenceContainers::Room ReferenceContainers::room(NodeIndex node) const {
  Room room = model_.room_of(node);
  for (const Container& each : containers_) {
    if (each.node == node && leads(each)) room -= request(each.job, each.kind);
  }
  return room;
}

Count ReferenceContainers::free_memory() {
  Count memory = 0;
  for (NodeIndex node = 0; node < model_.topology.size(); ++node)
    memory += away_[node] > 0 ? 0 : room(node).memory;
  return memory;
}

}  // namespace wavewright::sim
