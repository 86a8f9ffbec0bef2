#include "wavewright/sim/containers/obvious_containers.h"

#include <algorithm>
#include <utility>

namespace wavewright::sim {

namespace {

constexpr Kind all_kinds[] = {Kind::master, Kind::map, Kind::reduce};

}  // namespace

// ---- containers end
bool ObviousContainers::is_there(Containers::iterator container) {
  for (auto each = containers_.begin(); each != containers_.end(); ++each) {
    if (each == container) return true;
  }
  return false;
}

void ObviousContainers::end_containers(Kind kind) {
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
      containers_.erase(due.front());  // the others go on
    } else {
      due.front()->over = true;
    }
    end_task(kind, ended);
  }
}

void ObviousContainers::end_task(Kind kind, const Container& each) {
  if (each.fails) return attempt_failed(kind, each);
  JobState& state = jobs_[each.job];
  if (const ObviousAttempt* const twin = twin_of(each)) {
    stop(place_of(*twin), AttemptOutcome::killed, false);
  } else {
    unmark(each.job, kind, each.task);
  }
  state.tasks(kind)[each.task].state = TaskState::done;
  state.tasks(kind)[each.task].ran_on = each.node;
  if (kind == Kind::map) {
    tell_if_ready(each.job);
    fetch_more(each.job);
    settle_maps(each.job);
  } else {
    settle(each.job);
  }
}

void ObviousContainers::end_of_master(Container& master) {
  JobState& state = jobs_[master.job];
  if (state.settled()) {
    ++result_.events;
    master.over = true;
    return;
  }
  master.waits = true;
  state.up = now_;
  if (std::exchange(state.begun, true)) return;
  tell_if_ready(master.job);
  settle_maps(master.job);
}

// Room is free when the node reports, which is not at the heartbeat that gave it.
void ObviousContainers::report(Kind kind) {
  for (const auto each : those(kind, [](const Container& c) { return c.over; })) {
    if (period() != Duration{} && each->since >= now_) continue;
    if (!mode_.out_of_band && !beats(each->node, now_)) continue;
    const Container gone = *each;
    containers_.erase(each);
    reported_.insert(gone.node);
    beat(gone.node);
    tell(Event::What::ended, gone.job, kind, gone.node);
  }
}

void ObviousContainers::attempt_failed(Kind kind, const Container& each) {
  JobState& state = jobs_[each.job];
  TaskInfo& task = state.tasks(kind)[each.task];
  const JobIndex index = each.job;
  const NodeIndex node = each.node;
  count_failure(index, node);
  if (twin_of(each) == nullptr) {
    unmark(index, kind, each.task);
    task.state = TaskState::pending;
  }
  if (++task.failures >= model_.cluster.faults.max_attempts) fail(index);
  tell(Event::What::lost, index, kind, node);
}

bool ObviousContainers::shared(const Container& container) const {
  return std::count_if(containers_.begin(), containers_.end(), [&](const Container& each) {
           return each.kind == container.kind && each.slot == container.slot;
         }) > 1;
}

bool ObviousContainers::leads(const Container& container) const {
  return std::none_of(containers_.begin(), containers_.end(), [&](const Container& each) {
    return each.kind == container.kind && each.slot == container.slot && each.place < container.place;
  });
}

ObviousContainers::Containers::iterator ObviousContainers::place_of(const ObviousAttempt& attempt) {
  return std::find_if(containers_.begin(), containers_.end(),
                      [&](const Container& each) { return &each == &attempt; });
}

// The task is not to be doubled; what is asked for is never more than what could start.
void ObviousContainers::unmark(JobIndex index, Kind kind, std::uint32_t task) {
  JobState& state = jobs_[index];
  if (std::erase(state.marked(kind), task) > 0)
    state.asked(kind) = std::min(state.asked(kind), state.wanted(kind));
}

void ObviousContainers::fail(JobIndex index) {
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
  tell(Event::What::finished, index, Kind::reduce, 0);
  drop_successors(index);
}

void ObviousContainers::stop_all(JobIndex index, bool again) {
  for (const Kind kind : {Kind::map, Kind::reduce}) {
    for (const auto each : those(kind, [&](const Container& c) { return c.job == index && !c.over; }))
      stop(each, AttemptOutcome::killed, again);
  }
}

void ObviousContainers::end_master(JobIndex index) {
  for (Container& each : containers_) {
    if (each.kind != Kind::master || each.job != index || each.over) continue;
    each.waits = false;
    each.end = now_ + model_.cluster.masters.finish + model_.cluster.masters.stop;
    result_.trace[each.record].end = each.end;
  }
}

// Ends an attempt before its time.
void ObviousContainers::stop(Containers::iterator container, AttemptOutcome outcome, bool again) {
  const Container each = *container;
  const bool twin = twin_of(*container) != nullptr;
  count_stop(*container, outcome);
  containers_.erase(container);
  if (again && !twin) {
    unmark(each.job, each.kind, each.task);
    jobs_[each.job].tasks(each.kind)[each.task].state = TaskState::pending;
  }
  tell(Event::What::lost, each.job, each.kind, each.node);
}

void ObviousContainers::stop_all_of(const Container& container) {
  const std::uint32_t slot = container.slot;
  for (const auto each : those(container.kind, [&](const Container& c) { return c.slot == slot; }))
    stop(each, AttemptOutcome::killed, true);
}

std::vector<ObviousAttempt*> ObviousContainers::running() {
  std::vector<ObviousAttempt*> found;
  for (const Kind kind : all_kinds) {
    for (const auto each : those(kind, [](const Container& c) { return !c.over; })) found.push_back(&*each);
  }
  return found;
}

// ---- nodes come and go
void ObviousContainers::lose_attempts(NodeIndex node) {
  reserved_.erase(node);
  for (const Kind kind : all_kinds) {
    for (const auto each : those(kind, [&](const Container& c) { return c.node == node; })) {
      if (!is_there(each)) continue;  // it went with its master
      if (each->over) {
        const JobIndex index = each->job;
        containers_.erase(each);
        tell(Event::What::ended, index, kind, node);
      } else if (kind == Kind::master) {
        lose_master(each);
      } else {
        stop(each, AttemptOutcome::lost, true);
      }
    }
  }
}

void ObviousContainers::lose_master(Containers::iterator master) {
  const Container gone = *master;
  JobState& state = jobs_[gone.job];
  ++result_.events;
  result_.trace[gone.record].end = now_;
  cancel(*master);
  containers_.erase(master);
  if (state.settled()) return tell(Event::What::ended, gone.job, Kind::master, gone.node);
  result_.trace[gone.record].outcome = AttemptOutcome::lost;
  ++result_.jobs[gone.job].lost_attempts;
  state.up.reset();
  for (const Kind kind : {Kind::map, Kind::reduce}) state.asked(kind) = 0;
  stop_all(gone.job, true);
  ask_for_master(gone.job);
  tell(Event::What::lost, gone.job, Kind::master, gone.node);
}

// ---- jobs
void ObviousContainers::settle_maps(JobIndex index) {
  JobState& state = jobs_[index];
  if (!state.up || state.maps_done) return;
  if (!state.all_done(Kind::map)) return;
  state.maps_done = now_;
  result_.jobs[index].maps_done = now_;
  run_reduces(index);
  settle(index);
}

void ObviousContainers::settle(JobIndex index) {
  JobState& state = jobs_[index];
  if (!state.maps_done || state.settled()) return;
  if (!state.all_done(Kind::reduce)) return;
  state.finished = true;
  result_.jobs[index].finish = now_ + model_.cluster.masters.finish;
  end_master(index);
  tell(Event::What::finished, index, Kind::reduce, 0);
}

void ObviousContainers::tell_if_ready(JobIndex index) {
  if (!jobs_[index].up || !ready_for_reduces(index)) return;
  jobs_[index].reduces_ready = true;
  tell(Event::What::ready, index, Kind::reduce, 0);
}

Count ObviousContainers::holds(JobIndex index, Kind kind) const {
  return std::count_if(containers_.begin(), containers_.end(), [&](const Container& each) {
    return each.kind == kind && each.job == index && leads(each);
  });
}

ObviousOrder::Held ObviousContainers::memory_held() const {
  return [this](JobIndex index) {
    Count memory = 0;
    for (const Container& each : containers_)
      memory += each.job == index && leads(each) ? request(index, each.kind).memory : 0;
    return memory;
  };
}

ObviousContainers::Room ObviousContainers::room(NodeIndex node) const {
  Room room = model_.room_of(node);
  for (const Container& each : containers_) {
    if (each.node == node && leads(each)) room -= request(each.job, each.kind);
  }
  return room;
}

Count ObviousContainers::free_memory() {
  Count memory = 0;
  for (NodeIndex node = 0; node < model_.topology.size(); ++node)
    memory += away_[node] > 0 ? 0 : room(node).memory;
  return memory;
}

}  // namespace wavewright::sim
