#include "wavewright/sim/reference/reference_masters.h"

#include <algorithm>

namespace wavewright::sim {

void ReferenceMasters::reviews() {
  for (JobIndex index = 0; index < jobs_.size(); ++index) {
    if (!jobs_[index].settled() && asks(jobs_[index], now_)) review(index);
  }
}

void ReferenceMasters::review(JobIndex index) {
  JobState& state = jobs_[index];
  const auto allowed = [&](Kind kind) {
    return std::max<Count>(0, state.cap[static_cast<std::size_t>(kind)] - holds(index, kind));
  };
  const std::pair before(state.asked(Kind::map), state.asked(Kind::reduce));
  const bool wanted_before = has_pending_request(index);
  state.asked(Kind::map) = std::min(state.wanted(Kind::map), allowed(Kind::map));
  if (state.reduces_ready) review_reduces(index, allowed(Kind::reduce));
  if (!wanted_before && has_pending_request(index))
    tell({.what = Event::What::ready,
          .kind = state.asked(Kind::map) > 0 ? Kind::map : Kind::reduce,
          .job = index});
  if (before != std::pair(state.asked(Kind::map), state.asked(Kind::reduce))) asked_anew_ = true;
}

Count ReferenceMasters::maps_waiting(JobIndex index, std::optional<Duration> longer) const {
  const JobState& state = jobs_[index];
  const Count asked = state.asked_of[static_cast<std::size_t>(Kind::map)];
  if (!longer || holds(index, Kind::map) > 0) return 0;
  if (*longer <= Duration{}) return asked;
  Count waiting = 0;
  for (const TaskInfo& map : state.tasks(Kind::map)) {
    const Time since = map.asked_again ? std::max(*map.asked_again, *state.up) : *state.up;
    waiting += map.state == TaskState::pending && now_ - since > *longer ? 1 : 0;
  }
  return std::min(waiting, asked);
}

void ReferenceMasters::review_reduces(JobIndex index, Count allowed) {
  JobState& state = jobs_[index];
  const RampUp ramp{
      .maps = static_cast<Count>(state.tasks(Kind::map).size()),
      .maps_done = state.count(Kind::map, TaskState::done),
      .maps_asked = state.asked(Kind::map),
      .maps_delayed = maps_waiting(index, model_.cluster.masters.preempt_delay),
      .maps_overdue = maps_waiting(index, model_.cluster.masters.unconditional_preempt_delay),
      .maps_held = holds(index, Kind::map),
      .reduces_wanted = state.wanted(Kind::reduce),
      .reduces_asked = state.decided,
      .reduces_held = holds(index, Kind::reduce),
      .map_memory = request(index, Kind::map).memory,
      .reduce_memory = request(index, Kind::reduce).memory,
      .headroom = std::min(free_memory(), ledger_.order(Kind::map).headroom(index, memory_held())),
      .limit = model_.cluster.masters.ramp_up,
      .cores = model_.cores_seen(cores().free)};
  const std::optional<Count> to_stop = reduces_to_stop(ramp);
  const Count told_now = state.decided;
  state.decided = to_stop ? 0 : reduces_to_ask(ramp);
  state.asked(Kind::reduce) = std::min({told_now, state.decided, allowed});
  for (Count i = 0; i < to_stop.value_or(0); ++i) {
    const ReferenceAttempt* const last = last_started(index, Kind::reduce, any_class);
    if (last == nullptr) break;
    stop_all_of(*place_of(*last));
    changed_now_ = true;  // room is free now
    if (i == 0 && stopped_in_vain_[index].again(ends_)) refuse_stopped_in_vain(id(index));
  }
}

}  // namespace wavewright::sim
