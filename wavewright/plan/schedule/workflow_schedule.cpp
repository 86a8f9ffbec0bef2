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
    : edges_(batch),
      maps_(maps_of(batch), batch.jobs.size()),
      reduces_(reduces_of(batch), batch.jobs.size()) {
  for (auto* const times : {&times_.maps.ready, &times_.maps.first, &times_.reduces.ready,
                            &times_.reduces.first, &times_.map_ends, &times_.ends})
    times->assign(batch.jobs.size(), no_time);
  for (ServingTimes* const times : {&times_.maps, &times_.reduces}) times->last.assign(batch.jobs.size(), -1);
  fill(maps_, pool.map_slots);
  fill(reduces_, pool.reduce_slots);
  for (JobIndex job = 0; job < batch.jobs.size(); ++job) {
    submits_.push_back(to_ms(batch.jobs[job].submit));
    if (edges_.waits_for(job) == 0) first_.emplace_back(submits_[job], job);
  }
  std::sort(first_.begin(), first_.end());
  find_tails(batch);
}

void WorkflowSchedule::fill(Side& side, Count slots) {
  side.slots = used_slots(slots, side.runs.tasks);
  side.alike = side.runs.alike();
  if (!side.alike) side.tree = SlotTree(side.slots);
  side.shortest = no_time;
  for (const StageTasks::Run& run : side.runs.runs)
    side.shortest = std::min({side.shortest, run.first, run.later});
}

// The least times of a job on free slots: of its maps, of its reduces, and after its end of the longest chain
// of jobs that wait for it.
void WorkflowSchedule::find_tails(const Workload& batch) {
  const std::size_t jobs = batch.jobs.size();
  map_tails_.assign(jobs, 0);
  reduce_tails_.assign(jobs, 0);
  followers_.assign(jobs, 0);
  least_ends_.assign(jobs, 0);
  for (JobIndex job = 0; job < jobs; ++job) {
    for (const auto& [side, tails] : {std::pair(&maps_, &map_tails_), std::pair(&reduces_, &reduce_tails_)}) {
      for (const StageTasks::Run& run : side->runs.of(job))
        (*tails)[job] = std::max((*tails)[job], std::min(run.first, run.later));
    }
  }
  const std::vector<std::uint32_t> sorted = edges_.in_order(jobs);
  std::vector<std::int64_t> earliest = submits_;
  for (const JobIndex job : sorted) {
    const std::int64_t end = earliest[job] + map_tails_[job] + reduce_tails_[job];
    least_ends_[job] = end;
    least_total_of_all_ += end - submits_[job];
    for (const JobIndex next : edges_.successors(job)) earliest[next] = std::max(earliest[next], end);
  }
  for (auto job = sorted.rbegin(); job != sorted.rend(); ++job) {
    for (const JobIndex next : edges_.successors(*job)) {
      followers_[*job] =
          std::max(followers_[*job], map_tails_[next] + reduce_tails_[next] + followers_[next]);
    }
  }
}

PlanValue WorkflowSchedule::value(std::span<const JobIndex> maps, std::span<const JobIndex> reduces) {
  begin(maps, reduces);
  (void)advance(tasks() + 1, no_time, no_time);
  return value();
}

PlanValue WorkflowSchedule::value() const {
  std::int64_t last = 0, total = 0;
  for (JobIndex job = 0; job < jobs(); ++job) {
    last = std::max(last, times_.ends[job]);
    total += times_.ends[job] - submits_[job];
  }
  return {ms(last), ms(total)};
}

void WorkflowSchedule::order(Side& side, std::span<const JobIndex> order) {
  side.order = order;
  for (std::uint32_t position = 0; position < order.size(); ++position) side.at[order[position]] = position;
}

void WorkflowSchedule::begin(Side& side) {
  side.clock = 0;
  while (!side.there.empty()) side.there.erase(side.there.lowest());
  if (side.alike) {
    side.waves.reset(side.slots);
  } else {
    side.tree.reset();
  }
}

void WorkflowSchedule::begin(std::span<const JobIndex> maps, std::span<const JobIndex> reduces) {
  order(maps_, maps);
  order(reduces_, reduces);
  begin(maps_);
  begin(reduces_);
  waits_for_ = edges_.waits_for();
  events_.clear();
  free_ = 0;
  clock_ = 0;
  least_makespan_ = 0;
  least_total_ = least_total_of_all_;
}

void WorkflowSchedule::save(const Side& side, State::Stage& state) {
  if (side.alike) {
    state.waves.take(side.waves);
  } else {
    state.tree = side.tree;
  }
  state.waiting.clear();
  for (std::uint32_t at = side.there.next(0); at != sim::NumberSet::none; at = side.there.next(at + 1))
    state.waiting.emplace_back(side.order[at], side.cursors[side.order[at]]);
  state.clock = side.clock;
}

void WorkflowSchedule::save(State& state) const {
  save(maps_, state.maps_);
  save(reduces_, state.reduces_);
  state.waits_for_ = waits_for_;
  state.events_.take(events_);
  state.free_ = free_;
  state.clock_ = clock_;
  state.least_makespan_ = least_makespan_;
  state.least_total_ = least_total_;
}

void WorkflowSchedule::resume(Side& side, const State::Stage& state) {
  if (side.alike) {
    side.waves.take(state.waves);
  } else {
    side.tree.take(state.tree);
  }
  while (!side.there.empty()) side.there.erase(side.there.lowest());
  for (const auto& [job, cursor] : state.waiting) {
    side.cursors[job] = cursor;
    side.there.insert(side.at[job]);
  }
  side.clock = state.clock;
}

void WorkflowSchedule::resume(const State& state, const Times& times, std::span<const JobIndex> maps,
                              std::span<const JobIndex> reduces) {
  times_ = times;
  order(maps_, maps);
  order(reduces_, reduces);
  resume(maps_, state.maps_);
  resume(reduces_, state.reduces_);
  waits_for_ = state.waits_for_;
  events_.take(state.events_);
  free_ = state.free_;
  clock_ = state.clock_;
  least_makespan_ = state.least_makespan_;
  least_total_ = state.least_total_;
}

WorkflowSchedule::Part WorkflowSchedule::advance(std::uint64_t tasks, std::int64_t latest,
                                                 std::int64_t total) {
  placed_ = 0;
  pause_at_ = tasks;
  latest_ = latest;
  total_ = total;
  if (maps_.alike) return reduces_.alike ? run(maps_.waves, reduces_.waves) : run(maps_.waves, reduces_.tree);
  return reduces_.alike ? run(maps_.tree, reduces_.waves) : run(maps_.tree, reduces_.tree);
}

// The job's tasks of this stage may start.
void WorkflowSchedule::add(Side& side, JobIndex job) {
  side.cursors[job] = {side.runs.runs_from[job], side.runs.runs[side.runs.runs_from[job]].count, clock_,
                       false};
  side.clock = clock_;
  side.there.insert(side.at[job]);
}

void WorkflowSchedule::arrive(JobIndex job) {
  times_.maps.ready[job] = clock_;
  expect(job, clock_ + map_tails_[job] + reduce_tails_[job], least_ends_[job]);
  maps_.runs.none(job) ? maps_done(job) : add(maps_, job);
}

void WorkflowSchedule::maps_done(JobIndex job) {
  times_.map_ends[job] = clock_;
  times_.reduces.ready[job] = clock_;
  reduces_.runs.none(job) ? done(job) : add(reduces_, job);
}

void WorkflowSchedule::done(JobIndex job) {
  times_.ends[job] = clock_;
  for (const JobIndex next : edges_.successors(job)) {
    if (--waits_for_[next] == 0) events_.push({std::max(clock_, submits_[next]), next, Event::arrival});
  }
}

// The job ends at `end` at the earliest; before that was known to be `before`.
void WorkflowSchedule::expect(JobIndex job, std::int64_t end, std::int64_t before) {
  least_makespan_ = std::max(least_makespan_, end + followers_[job]);
  least_total_ += end - before;
}

std::int64_t WorkflowSchedule::next_event() const {
  return free_ == first_.size() ? events_.next() : std::min(events_.next(), first_[free_].first);
}

// Between events the stages advance separately: up to the next event, and to the earliest end of the other
// stage's next task, which may be an event.
template <class Maps, class Reduces>
WorkflowSchedule::Part WorkflowSchedule::run(Maps& maps, Reduces& reduces) {
  for (;;) {
    if (least_makespan_ > latest_ || least_total_ > total_) return Part::beyond;
    if (placed_ >= pause_at_) return Part::paused;
    const std::int64_t event = next_event(), map = next_start(maps_, maps),
                       reduce = next_start(reduces_, reduces);
    if (std::min({event, map, reduce}) == no_time) return Part::ended;
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
    while (free_ < first_.size() && first_[free_].first == clock_) arrive(first_[free_++].second);
    while (events_.next() == clock_) {
      const Event event = events_.pop();
      switch (event.kind) {
        case Event::arrival:
          arrive(event.job);
          break;
        case Event::maps_done:
          maps_done(event.job);
          break;
        case Event::done:
          done(event.job);
          break;
      }
    }
  }
}

// Places tasks that start before `limit` and before the next event of this stage.
template <bool of_maps, class Slots>
void WorkflowSchedule::give_out(Side& side, Slots& slots, std::int64_t limit) {
  ServingTimes& times = of_maps ? times_.maps : times_.reduces;
  std::int64_t clock = std::max(side.clock, slots.first());
  while (!side.there.empty() && clock < limit) {
    const std::uint32_t position = side.there.lowest();
    const JobIndex job = side.order[position];
    const std::uint32_t end_of_runs = side.runs.runs_from[job + 1];
    Cursor cursor = side.cursors[job];
    if (!cursor.begun) times.first[job] = clock;
    cursor.begun = true;
    while (clock < limit) {
      const StageTasks::Run& run = side.runs.runs[cursor.run];
      const std::int64_t end = clock + (!of_maps && clock == times.ready[job] ? run.first : run.later);
      cursor.last = std::max(cursor.last, end);
      const std::uint32_t given = slots.give(cursor.left, end);
      placed_ += given;
      cursor.left -= given;
      const std::int64_t start = clock;
      clock = std::max(clock, slots.first());
      if (cursor.left > 0) continue;
      if (++cursor.run == end_of_runs) {
        side.there.erase(position);
        times.last[job] = start;
        events_.push({cursor.last, job, of_maps ? Event::maps_done : Event::done});
        if (of_maps) {
          expect(job, cursor.last + reduce_tails_[job],
                 times.ready[job] + map_tails_[job] + reduce_tails_[job]);
        } else {
          expect(job, cursor.last, times.ready[job] + reduce_tails_[job]);
        }
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
