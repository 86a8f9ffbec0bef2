#include "wavewright/sim/containers/application_masters.h"

namespace wavewright::sim {

void ApplicationMasters::admitted(JobIndex index) {
  NodeJob& state = w_.jobs[index];
  for (const Kind kind : {Kind::master, Kind::map, Kind::reduce})
    state.request[at(kind)] = w_.model.request(*state.job, kind);
  ask_for_master(index);
}

void ApplicationMasters::ask_for_master(JobIndex index) {
  NodeJob& state = w_.jobs[index];
  state.asked[at(Kind::master)] = state.cap[at(Kind::master)] > 0 ? 1 : 0;
  list(index);
}

void ApplicationMasters::start_master(NodeIndex node, JobIndex index) {
  NodeJob& state = w_.jobs[index];
  const std::uint32_t slot = w_.masters.occupy(node);
  w_.masters.on[slot].begin(index, 0, state.masters_started++, w_.now_ms);
  w_.masters.on[slot].until = 0;
  state.master = slot;
  runner_.begin_record(w_.masters, slot);
  runner_.launch(w_.masters, slot, w_.now_ms + w_.launch);
}

void ApplicationMasters::master_ends() {
  while (!w_.masters.queue.empty() && w_.masters.queue.first_instant() == w_.now_ms) {
    const std::uint32_t slot = w_.masters.queue.first_slot();
    if (w_.masters.on[slot].over) {
      w_.masters.queue.clear(slot);
      room_.reported(Kind::master, slot);
      continue;
    }
    const JobIndex index = w_.masters.on[slot].job;
    if (w_.jobs[index].settled) {
      ++w_.result.events;
      runner_.close_record(w_.masters, slot, w_.now_ms, AttemptOutcome::done);
      room_.wait_for_report(w_.masters, slot);
    } else {
      w_.masters.queue.clear(slot);
      master_is_up(index);
    }
  }
}

void ApplicationMasters::master_is_up(JobIndex index) {
  NodeJob& state = w_.jobs[index];
  state.master_up = w_.now_ms;
  w_.result.jobs[index].master_up = w_.now();
  schedule_review(index);
  if (!state.begun) lifecycle_.begin_tasks(index);
  state.begun = true;
}

void ApplicationMasters::settled(JobIndex index) {
  const NodeJob& state = w_.jobs[index];
  if (state.master == Running::alone) return;
  const Duration stop = w_.model.commit() + w_.model.cluster.masters.stop;
  const std::uint64_t end = w_.now_ms + AttemptRunner::length(stop);
  w_.masters.on[state.master].until = end;
  w_.masters.queue.set(state.master, end);
}

void ApplicationMasters::lose_master(std::uint32_t slot) {
  const JobIndex index = w_.masters.on[slot].job;
  NodeJob& state = w_.jobs[index];
  ++w_.result.events;
  runner_.cancel(w_.masters, slot);
  room_.vacate(w_.masters, slot);
  runner_.close_record(w_.masters, slot, w_.now_ms,
                       state.settled ? AttemptOutcome::done : AttemptOutcome::lost);
  if (state.settled) return w_.tell(Event::What::ended, w_.masters, slot);
  ++w_.result.jobs[index].lost_attempts;
  state.master = Running::alone;
  state.master_up = NodeJob::never;
  state.review = NodeJob::never;
  state.asked[at(Kind::map)] = state.asked[at(Kind::reduce)] = state.decided = 0;
  if (state.reserved > 0) room_.unreserve(index);
  lifecycle_.stop_all(index, true);
  lifecycle_.forget_failed_maps(index);
  ask_for_master(index);
  w_.tell(Event::What::lost, w_.masters, slot, AttemptOutcome::lost);
}

void ApplicationMasters::review(JobIndex index) {
  NodeJob& state = w_.jobs[index];
  Count& maps = state.asked[at(Kind::map)];
  Count& reduces = state.asked[at(Kind::reduce)];
  const std::pair before(maps, reduces);
  const bool wanted_before = w_.has_pending_request(index);
  Count stopped = 0;
  maps = std::min(wanted(state, Kind::map), allowed(state, Kind::map));
  if (state.reduces_ready) {
    const RampUp ramp = ramp_up(index);
    const std::optional<Count> to_stop = reduces_to_stop(ramp);
    const Count decided_before = state.decided;
    state.decided = to_stop ? 0 : reduces_to_ask(ramp);
    reduces = std::min({decided_before, state.decided, allowed(state, Kind::reduce)});
    if (reduces < std::min(state.decided, allowed(state, Kind::reduce))) schedule_review(index);
    stopped = stop_reduces(index, to_stop.value_or(0));
    if (stopped > 0 && stopped_in_vain_[index].again(ends_)) refuse_stopped_in_vain(state.job->id);
  }
  list(index);
  if (!wanted_before && w_.has_pending_request(index))
    w_.tell({.what = Event::What::ready, .kind = maps > 0 ? Kind::map : Kind::reduce, .job = index});
  // Requests may swing for ever without any container being given: a review alone is no progress.
  allocation_.passed();
  if (before != std::pair(maps, reduces) || stopped > 0) changed_ = true;
  review_again(index);
}

Count ApplicationMasters::stop_reduces(JobIndex index, Count most) {
  for (Count stopped = 0; stopped < most; ++stopped) {
    const std::uint32_t slot = clock_.last_started(w_.reduces, index);
    if (slot == NumberSet::none) return stopped;
    lifecycle_.stop_slot(w_.reduces, slot);
  }
  return most;
}

void ApplicationMasters::review_again(JobIndex index) {
  const NodeJob& state = w_.jobs[index];
  if (state.asked[at(Kind::map)] == 0 || !state.reduces_ready) return;
  const bool ramping = state.decided < wanted(state, Kind::reduce);
  const bool starved = state.held[at(Kind::map)] == 0 && state.held[at(Kind::reduce)] + state.decided > 0;
  if (ramping || starved) schedule_review(index);
}

Count ApplicationMasters::maps_waiting(const NodeJob& state, std::optional<Duration> longer) const {
  const Count asked = state.asked[at(Kind::map)];
  if (!longer || state.held[at(Kind::map)] > 0 || asked == 0) return 0;
  if (*longer <= Duration{}) return asked;
  const std::uint64_t delay = AttemptRunner::length(*longer);
  const auto waits = [&](std::uint64_t since) { return w_.now_ms - since > delay; };
  if (!waits(state.master_up)) return 0;
  Count waiting = state.maps.pending;
  if (state.attempts) {
    for (const auto& [task, since] : state.attempts->asked_again)
      waiting -= waits(std::max(since, state.master_up)) ? 0 : 1;
  }
  return std::min(waiting, asked);
}

RampUp ApplicationMasters::ramp_up(JobIndex index) const {
  const NodeJob& state = w_.jobs[index];
  const Masters& masters = w_.model.cluster.masters;
  return {.maps = state.maps.count,
          .maps_done = state.maps.count - state.maps.left,
          .maps_asked = state.asked[at(Kind::map)],
          .maps_delayed = maps_waiting(state, masters.preempt_delay),
          .maps_overdue = maps_waiting(state, masters.unconditional_preempt_delay),
          .maps_held = state.held[at(Kind::map)],
          .reduces_wanted = wanted(state, Kind::reduce),
          .reduces_asked = state.decided,
          .reduces_held = state.held[at(Kind::reduce)],
          .map_memory = state.request[at(Kind::map)].memory,
          .reduce_memory = state.request[at(Kind::reduce)].memory,
          .headroom = std::min(room_.free_memory(), w_.tree().headroom(index)),
          .limit = masters.ramp_up,
          .cores = w_.model.cores_seen(w_.cores().free)};
}

void ApplicationMasters::cap_changed(JobIndex index) {
  const NodeJob& state = w_.jobs[index];
  const bool waits = state.master == Running::alone && state.held[at(Kind::master)] == 0;
  if (state.admitted && !state.settled && waits) ask_for_master(index);
  schedule_review(index);
}

}  // namespace wavewright::sim
