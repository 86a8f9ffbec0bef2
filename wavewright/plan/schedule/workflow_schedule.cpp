#include "wavewright/plan/schedule/workflow_schedule.h"

#include <algorithm>

namespace wavewright {

namespace {

std::int64_t after(std::int64_t instant, std::int64_t length) {
  return instant == no_time ? no_time : instant + length;
}

// When the stage's next task starts, given the arrivals so far.
template <class Side, class Slots>
std::int64_t next_start(const Side& side, const Slots& slots) {
  return side.there.empty() ? no_time : std::max(side.clock, slots.first());
}

}  // namespace

bool WorkflowSchedule::models(const Workload& batch, SlotCluster cluster) {
  return cluster.slowstart == 1 && are_two_stages(batch, cluster.pool);
}

WorkflowSchedule::WorkflowSchedule(const Workload& batch, SlotPool pool)
    : table_(batch),
      maps_(maps_of(batch), batch.jobs.size()),
      reduces_(reduces_of(batch), batch.jobs.size()),
      map_ends_(batch.jobs.size()),
      ends_(batch.jobs.size()) {
  fill(maps_, pool.map_slots);
  fill(reduces_, pool.reduce_slots);
}

void WorkflowSchedule::fill(Side& side, Count slots) {
  side.slots = used_slots(slots, side.runs.tasks);
  side.alike = side.runs.alike();
  if (!side.alike) side.tree = SlotTree(side.slots);
  side.shortest = no_time;
  for (const StageTasks::Run& run : side.runs.runs)
    side.shortest = std::min({side.shortest, run.first, run.later});
}

Value WorkflowSchedule::value(std::span<const JobIndex> maps, std::span<const JobIndex> reduces) {
  begin(maps_, maps);
  begin(reduces_, reduces);
  releases_.emplace(table_);
  clock_ = 0;
  if (maps_.alike) {
    reduces_.alike ? run(maps_.waves, reduces_.waves) : run(maps_.waves, reduces_.tree);
  } else {
    reduces_.alike ? run(maps_.tree, reduces_.waves) : run(maps_.tree, reduces_.tree);
  }
  releases_.reset();
  std::int64_t last = 0, total = 0;
  for (JobIndex job = 0; job < ends_.size(); ++job) {
    last = std::max(last, ends_[job]);
    total += ends_[job] - static_cast<std::int64_t>(table_.submit(job));
  }
  return {ms(last), ms(total)};
}

void WorkflowSchedule::begin(Side& side, std::span<const JobIndex> order) {
  side.order = order;
  side.clock = 0;
  for (std::uint32_t position = 0; position < order.size(); ++position) side.at[order[position]] = position;
  if (side.alike) {
    side.waves.reset(side.slots);
  } else {
    side.tree.reset();
  }
}

// The job's tasks of this stage may start.
void WorkflowSchedule::add(Side& side, JobIndex job) {
  side.cursors[job] = {side.runs.runs_from[job], side.runs.runs[side.runs.runs_from[job]].count, clock_};
  side.clock = clock_;
  side.there.insert(side.at[job]);
}

void WorkflowSchedule::arrive(JobIndex job) {
  maps_.runs.none(job) ? maps_done(job) : add(maps_, job);
}

void WorkflowSchedule::maps_done(JobIndex job) {
  map_ends_[job] = clock_;
  reduces_.runs.none(job) ? done(job) : add(reduces_, job);
}

void WorkflowSchedule::done(JobIndex job) {
  ends_[job] = clock_;
  releases_->finished(job, static_cast<std::uint64_t>(clock_));
}

std::int64_t WorkflowSchedule::next_event() const {
  const std::int64_t event = events_.empty() ? no_time : events_.top().at;
  return releases_->next() == sim::Arrivals::never
             ? event
             : std::min(event, static_cast<std::int64_t>(releases_->next()));
}

// Between events the stages advance separately: up to the next event, and to the earliest end of the other
// stage's next task, which may be an event.
template <class Maps, class Reduces>
void WorkflowSchedule::run(Maps& maps, Reduces& reduces) {
  for (;;) {
    const std::int64_t event = next_event(), map = next_start(maps_, maps),
                       reduce = next_start(reduces_, reduces);
    if (std::min({event, map, reduce}) == no_time) return;
    if (event <= std::min(map, reduce)) {
      apply_events(event);
    } else if (map <= reduce) {
      give_out<true>(maps_, maps, std::min(event, after(reduce, reduces_.shortest)));
    } else {
      give_out<false>(reduces_, reduces, std::min(event, after(map, maps_.shortest)));
    }
  }
}

// Applies all events of one instant.
void WorkflowSchedule::apply_events(std::int64_t now) {
  clock_ = now;
  while (next_event() == clock_) {
    while (!events_.empty() && events_.top().at == clock_) {
      const Event ended = events_.top();
      events_.pop();
      ended.maps_done ? maps_done(ended.job) : done(ended.job);
    }
    while (releases_->next() == static_cast<std::uint64_t>(clock_)) arrive(releases_->pop());
  }
}

// Places tasks that start before `limit` and before the next event of this stage.
template <bool of_maps, class Slots>
void WorkflowSchedule::give_out(Side& side, Slots& slots, std::int64_t limit) {
  std::int64_t clock = std::max(side.clock, slots.first());
  while (!side.there.empty() && clock < limit) {
    const std::uint32_t position = side.there.lowest();
    const JobIndex job = side.order[position];
    const std::uint32_t end_of_runs = side.runs.runs_from[job + 1];
    Cursor cursor = side.cursors[job];
    while (clock < limit) {
      const StageTasks::Run& run = side.runs.runs[cursor.run];
      const std::int64_t end = clock + (!of_maps && clock == map_ends_[job] ? run.first : run.later);
      cursor.last = std::max(cursor.last, end);
      cursor.left -= slots.give(cursor.left, end);
      clock = std::max(clock, slots.first());
      if (cursor.left > 0) continue;
      if (++cursor.run == end_of_runs) {
        side.there.erase(position);
        events_.push({cursor.last, job, of_maps});
        limit = std::min(limit, cursor.last);
        break;
      }
      cursor.left = side.runs.runs[cursor.run].count;
    }
    side.cursors[job] = cursor;
  }
  side.clock = clock;
}

}  // namespace wavewright
