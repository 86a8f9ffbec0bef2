#include "wavewright/cloud/deadline/deadline_policy.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "wavewright/cloud/deadline/container_room.h"

namespace wavewright {

namespace {

Count unfinished(JobIndex job, Kind kind, const View& view) {
  return view.pending(job, kind) + view.held(job, kind, any_class);
}

}  // namespace

Features DeadlinePolicy::needs() const {
  const Features always = Features::of(Feature::rank);
  return machines_.rents() ? always | Feature::timers | Feature::leases : always;
}

EventSet DeadlinePolicy::subscribes() const {
  using enum Event::What;
  const EventSet always = arrived | ready | finished;
  return machines_.rents() ? always | started | ended | lost | node_up | node_down | node_notice | timer
                           : always;
}

void DeadlinePolicy::begin(const View& view, Decisions&) {
  machines_.begin(view, name_);
}

void DeadlinePolicy::on(const Event& event, const View& view, Decisions& decisions) {
  using enum Event::What;
  machines_.hear(event, view, decisions);
  if (event.what == timer && Machines::owns(event.token))
    return machines_.timer(event.token, need(view, Machines::gives_back(event.token)), view, decisions);
  const auto job = begun_.find(event.job);
  if (event.what == arrived) {
    this->arrived(event, view, decisions);
  } else if (event.what == ready && job != begun_.end() && !job->second.reduces_ready) {
    job->second.reduces = job->second.needed.slots.reduce_slots;
    job->second.reduces_ready = true;
    if (!admitting_) reduces_placed(event.job, job->second, view, decisions);
  } else {
    if (event.what == finished && job != begun_.end()) begun_.erase(job);
    changed(event, view, decisions);
  }
  const bool by_task = event.what == started || event.what == ended || event.what == lost;
  if (admitting_) return;  // whoever admits the job asks for its machines
  if (!by_task || std::exchange(more_needed_, false)) machines_.cover(need(view, false), view, decisions);
}

Key DeadlinePolicy::rank(JobIndex job, const View& view) const {
  return to_ms(view.facts(job).deadline.value_or(Time::max()));
}

void DeadlinePolicy::count_in_full(JobIndex job) {
  const auto found = begun_.find(job);
  if (found == begun_.end()) return;
  Begun& begun = found->second;
  begun.maps = begun.needed.slots.map_slots;
  if (begun.reduces_ready) begun.reduces = begun.needed.slots.reduce_slots;
  more_needed_ = true;
}

void DeadlinePolicy::rank_again(JobIndex job, const View& view, Decisions& decisions) const {
  const Key key = rank(job, view);
  for (const Kind kind : {Kind::map, Kind::reduce}) decisions.rank(job, kind, key);
}

void DeadlinePolicy::begin_job(JobIndex job, Time from, const View& view, Decisions& decisions) {
  const JobFacts facts = view.facts(job);
  Begun begun;
  begun.needed.slots = {std::min<Count>(1, facts.maps), std::min<Count>(1, facts.reduces)};
  if (facts.deadline) {
    begun.needed = needed(job, *facts.deadline - from - boot(), view);
    if (options_.admission && !begun.needed.in_time)
      return reject(job, from + boot() + begun.needed.shortest, view, decisions);
  }
  begun.maps = begun.needed.slots.map_slots;
  if (facts.maps == 0) {
    begun.reduces = begun.needed.slots.reduce_slots;
    begun.reduces_ready = true;
  }
  begun_.insert_or_assign(job, begun);
  more_needed_ = true;
  rank_again(job, view, decisions);
  // At once its reduces may be ready, if they wait for no map, or, without tasks, it is over.
  const bool outer = std::exchange(admitting_, true);
  decisions.admit(job, group_of(job, view));
  admitting_ = outer;
  const auto kept = begun_.find(job);
  if (kept != begun_.end()) placed(job, kept->second, view, decisions);
}

Duration DeadlinePolicy::boot() const {
  return machines_.rents() && options_.count_boot ? machines_.boot() : Duration{};
}

NeededSlots DeadlinePolicy::needed(JobIndex job, Duration left, const View& view) const {
  const Count machines = machines_.left(view);
  const auto most_of = [&](Kind kind) {
    return slots_there(job, kind, view) +
           machines * tasks_on_machine(view, job, kind, machines_.node_class(), machines_.machine());
  };
  const SlotPool most{most_of(Kind::map), most_of(Kind::reduce)};
  return needed_slots(view, job, machines_.node_class(), left, most, options_.slots);
}

void DeadlinePolicy::reject(JobIndex job, Time earliest, const View& view, Decisions& decisions) const {
  decisions.reject(job,
                   {"DeadlineTooTight",
                    fmt::format("Alone with all slots it ends {} ms after the start at the earliest, and "
                                "its deadline is at {} ms.",
                                to_ms(earliest), to_ms(*view.facts(job).deadline))});
}

Count DeadlinePolicy::slots_there(JobIndex job, Kind kind, const View& view) const {
  if (machines_.rents()) return slots_present(view, job, kind, machines_.node_class(), machines_.machine());
  const Resources there = view.capacity(any_class);
  return (kind == Kind::map ? there.map_slots : there.reduce_slots) / view.minimum_allocation();
}

// With containers: memory for masters, maps and reduces together.
Resources DeadlinePolicy::memory_need(const View& view) const {
  Count sum = 0, least = 0;
  for (const auto& [job, begun] : begun_) {
    const auto room = [&](Kind kind, Count tasks) {
      return tasks * room_of_task(view, job, kind, machines_.node_class(), machines_.machine());
    };
    const Count maps = unfinished(job, Kind::map, view);
    const Count reduces = begun.reduces_ready ? unfinished(job, Kind::reduce, view) : 0;
    const Count master = room(Kind::master, 1);
    sum += master + room(Kind::map, std::min(begun.maps, maps)) +
           room(Kind::reduce, std::min(begun.reduces, reduces));
    const Count map = room(Kind::map, std::min<Count>(1, maps));
    least = std::max(least, master + (map > 0 ? map : room(Kind::reduce, std::min<Count>(1, reduces))));
  }
  return {std::max(sum, least), 0};
}

Resources DeadlinePolicy::need(const View& view, bool) const {
  Resources sum;
  if (!machines_.rents()) return sum;
  if (view.containers()) return memory_need(view);
  Resources least;  // one slot while there is a task, though it was promised a busy one
  for (const auto& [job, begun] : begun_) {
    const Count maps = unfinished(job, Kind::map, view);
    const Count reduces = begun.reduces_ready ? unfinished(job, Kind::reduce, view) : 0;
    sum.map_slots += std::min(begun.maps, maps);
    sum.reduce_slots += std::min(begun.reduces, reduces);
    least = {std::max(least.map_slots, std::min<Count>(1, maps)),
             std::max(least.reduce_slots, std::min<Count>(1, reduces))};
  }
  return {std::max(sum.map_slots, least.map_slots), std::max(sum.reduce_slots, least.reduce_slots)};
}

}  // namespace wavewright
