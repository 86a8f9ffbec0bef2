#include "wavewright/plan/schedule/slack_stage.h"

#include <algorithm>
#include <functional>

namespace wavewright {

namespace {

constexpr std::int64_t parts = 8;          // about as many states are kept of a schedule
constexpr std::uint64_t least_kept = 300;  // tasks; with fewer, scheduling is faster than copying states

template <class T>
void heap_push(std::vector<T>& heap, T value) {
  heap.push_back(value);
  std::push_heap(heap.begin(), heap.end(), std::greater<>());
}

template <class T>
T heap_pop(std::vector<T>& heap) {
  std::pop_heap(heap.begin(), heap.end(), std::greater<>());
  const T value = heap.back();
  heap.pop_back();
  return value;
}

}  // namespace

template <class Slots>
void SlackStage<Slots>::States::add(const State& state) {
  if (count == at.size()) {
    at.push_back(state);
  } else {
    at[count] = state;
  }
  ++count;
}

template <class Slots>
SlackStage<Slots>::SlackStage(StageTasks tasks, bool counts)
    : tasks_(std::move(tasks)), left_(longest_left(tasks_)), counts_(counts), state_{fresh(1)} {
  const std::size_t jobs = tasks_.runs_from.size() - 1;
  for (JobIndex job = 0; job < jobs; ++job) {
    (tasks_.none(job) ? without_tasks_ : with_tasks_).push_back(job);
    counts_of_.push_back(tasks_.tasks_of(job));
    for (const StageTasks::Run& run : tasks_.of(job)) {
      work_ += run.later * run.count;
      least_work_ += static_cast<double>(std::min(run.first, run.later)) * run.count;
    }
  }
  state_.cursors.resize(jobs);
  if (counts_) counted_.resize(jobs);
}

template <class Slots>
const Slots& SlackStage<Slots>::fresh(std::uint32_t slots) {
  constexpr std::size_t most = 16;  // a search uses the same numbers again
  for (const auto& [number, free] : fresh_) {
    if (number == slots) return free;
  }
  if (fresh_.size() == most) fresh_.pop_back();
  fresh_.emplace_back(slots, Slots(slots));
  return fresh_.back().second;
}

template <class Slots>
bool SlackStage<Slots>::schedule(const StageJobs& jobs, Count slots, std::vector<std::int64_t>& ends) {
  const std::uint32_t used = used_slots(slots, tasks_.tasks);
  slots_ = slots;
  serving_ = 0;
  on_the_way_.count = 0;
  if (kept_.is && kept_.slots == slots) {
    find_changed(jobs);
    if (changed_.empty()) {
      serving_ = kept_.states.count;
      ends = kept_.ends;
      for (const JobIndex job : without_tasks_) ends[job] = jobs.ready[job];
      return true;
    }
    serving_ = kept_.states.count;
    while (serving_ > 0 && !serves(kept_.states.at[serving_ - 1], jobs)) --serving_;
  }
  if (serving_ > 0) {
    go_on_from(kept_.states.at[serving_ - 1], jobs);
  } else {
    begin(with_tasks_, used);
    state_.ends = jobs.ready;
  }
  // Tails would shorten the time of some slots; without them all slots count until the latest end.
  slot_time_ = jobs.latest == no_time || jobs.tails != nullptr ? std::numeric_limits<double>::max()
                                                               : static_cast<double>(jobs.latest) * used;
  if (!run(jobs, true)) return false;
  ends = state_.ends;
  for (const JobIndex job : without_tasks_) ends[job] = jobs.ready[job];
  return true;
}

template <class Slots>
bool SlackStage<Slots>::schedule_some(const StageJobs& jobs, std::span<const JobIndex> some, Count slots,
                                      std::vector<std::int64_t>& ends) {
  std::vector<JobIndex> served;
  std::uint64_t tasks = 0;
  for (const JobIndex job : some) {
    ends[job] = jobs.ready[job];
    if (tasks_.none(job)) continue;
    served.push_back(job);
    for (const StageTasks::Run& run : tasks_.of(job)) tasks += run.count;
  }
  if (served.empty()) return true;
  begin(served, used_slots(slots, tasks));
  state_.ends = jobs.ready;
  slot_time_ = std::numeric_limits<double>::max();  // only the jobs' own ends count
  if (!run(jobs, false)) return false;
  for (const JobIndex job : served) ends[job] = state_.ends[job];
  return true;
}

template <class Slots>
void SlackStage<Slots>::keep(const StageJobs& jobs, const std::vector<std::int64_t>& ends) {
  if (counts_) return;
  kept_.is = true;
  kept_.slots = slots_;
  kept_.ranks = jobs.ranks;
  kept_.ready = jobs.ready;
  kept_.held_until = jobs.held_until;
  kept_.ends = ends;
  States& states = kept_.states;
  states.count = serving_;
  for (std::size_t i = 0; i < on_the_way_.count; ++i) {
    if (states.count < states.at.size()) {
      std::swap(states.at[states.count++], on_the_way_.at[i]);
    } else {
      states.add(on_the_way_.at[i]);
    }
  }
  on_the_way_.count = 0;
  serving_ = states.count;
}

template <class Slots>
void SlackStage<Slots>::find_changed(const StageJobs& jobs) {
  changed_.clear();
  for (const JobIndex job : with_tasks_) {
    if (jobs.ranks.due[job] != kept_.ranks.due[job] || jobs.ranks.cap[job] != kept_.ranks.cap[job] ||
        jobs.ranks.steps[job] != kept_.ranks.steps[job] || jobs.ready[job] != kept_.ready[job] ||
        jobs.held_until[job] != kept_.held_until[job])
      changed_.push_back(job);
  }
}

// True if this schedule would reach the kept state in the same way.
template <class Slots>
bool SlackStage<Slots>::serves(const State& state, const StageJobs& jobs) const {
  return std::all_of(changed_.begin(), changed_.end(), [&](JobIndex job) {
    if (std::min(jobs.ready[job], kept_.ready[job]) > state.clock) return true;
    return jobs.ready[job] == kept_.ready[job] &&
           std::min(first_slack(jobs.ranks, job), first_slack(kept_.ranks, job)) > state.most_slack;
  });
}

// The state may come from a schedule before the kept one, with other ranks of jobs not served by then.
template <class Slots>
void SlackStage<Slots>::go_on_from(const State& state, const StageJobs& jobs) {
  state_ = state;
  for (const JobIndex job : with_tasks_) {
    if (state_.cursors[job].tasks == counts_of_[job]) state_.ends[job] = jobs.ready[job];
  }
  for (auto& [least, job] : state_.heap) least = slack(jobs.ranks, job, state_.cursors[job]);
  std::make_heap(state_.heap.begin(), state_.heap.end(), std::greater<>());
  by_ready_ = with_tasks_;
}

template <class Slots>
void SlackStage<Slots>::begin(std::span<const JobIndex> some, std::uint32_t slots) {
  state_.slots = fresh(slots);
  for (const JobIndex job : some) {
    const std::uint32_t run = tasks_.runs_from[job];
    state_.cursors[job] = {run, tasks_.runs[run].count, counts_of_[job], 0};
    if (!state_.own.empty()) state_.own[job].clear();
    if (counts_) counted_[job].clear();
  }
  state_.heap.clear();
  state_.blocked.clear();
  state_.clock = 0;
  state_.most_slack = lowest;
  state_.idle = 0;
  state_.given_up = false;
  state_.next = 0;
  by_ready_.assign(some.begin(), some.end());
}

template <class Slots>
void SlackStage<Slots>::push(const StageJobs& jobs, JobIndex job) {
  heap_push(state_.heap, Keyed(slack(jobs.ranks, job, state_.cursors[job]), job));
}

// Returns capped jobs with an ended task to the heap.
template <class Slots>
void SlackStage<Slots>::unblock(const StageJobs& jobs) {
  while (!state_.blocked.empty() && state_.blocked.front().first <= state_.clock) {
    const JobIndex job = heap_pop(state_.blocked).second;
    std::vector<std::int64_t>& own = state_.own[job];
    while (!own.empty() && own.front() <= state_.clock) {
      heap_pop(own);
      --state_.cursors[job].running;
    }
    push(jobs, job);
  }
}

template <class Slots>
bool SlackStage<Slots>::run(const StageJobs& jobs, bool all) {
  const auto sooner = [&](JobIndex a, JobIndex b) {
    return std::pair(jobs.ready[a], a) < std::pair(jobs.ready[b], b);
  };
  if (!std::is_sorted(by_ready_.begin(), by_ready_.end(), sooner))
    std::sort(by_ready_.begin(), by_ready_.end(), sooner);
  State& now = state_;
  const bool keeps = all && !counts_ && tasks_.tasks >= least_kept;
  const std::int64_t part = work_ / (parts * std::max<std::int64_t>(1, slots_)) + 1;
  std::int64_t mark = keeps ? (now.clock / part + 1) * part : no_time;
  const auto next_ready = [&] {
    return now.next < by_ready_.size() ? jobs.ready[by_ready_[now.next]] : no_time;
  };
  while (now.next < by_ready_.size() || !now.heap.empty() || !now.blocked.empty()) {
    if (now.clock >= mark) {
      on_the_way_.add(now);
      mark = (now.clock / part + 1) * part;
    }
    if (now.heap.empty()) {
      const std::int64_t unblocked = now.blocked.empty() ? no_time : now.blocked.front().first;
      now.clock = std::max(now.clock, std::min(next_ready(), unblocked));
    }
    now.clock = std::max(now.clock, now.slots.first());
    while (next_ready() <= now.clock) push(jobs, by_ready_[now.next++]);
    unblock(jobs);
    const JobIndex job = heap_pop(now.heap).second;
    if (jobs.ranks.cap[job] == PriorityRule::uncapped) {
      take_turn<false>(jobs, job, next_ready());
    } else {
      take_turn<true>(jobs, job, next_ready());
    }
    if (now.given_up || now.idle + least_work_ > slot_time_) return false;
  }
  return true;
}

// Places the job's tasks until another job may go first.
template <class Slots>
template <bool capped>
void SlackStage<Slots>::take_turn(const StageJobs& jobs, JobIndex job, std::int64_t next_ready) {
  State& now = state_;
  const std::uint32_t cap = jobs.ranks.cap[job], end_of_runs = tasks_.runs_from[job + 1];
  const std::int64_t held_until = jobs.held_until[job];
  const std::int64_t latest =
      jobs.latest == no_time || jobs.tails == nullptr ? jobs.latest : jobs.latest - (*jobs.tails)[job];
  const std::int64_t others = std::min(next_ready, now.blocked.empty() ? no_time : now.blocked.front().first);
  const Keyed best = now.heap.empty() ? Keyed(no_time, 0) : now.heap.front();
  Cursor cursor = now.cursors[job];
  std::int64_t clock = now.clock, last = now.ends[job], least = slack(jobs.ranks, job, cursor);
  for (;;) {
    const StageTasks::Run& run = tasks_.runs[cursor.run];
    const std::int64_t end = clock <= held_until ? held_until + run.first : clock + run.later;
    last = std::max(last, end);
    if (end > latest) {
      now.given_up = true;
      return;
    }
    const std::int64_t waited = clock - now.slots.first();
    const std::uint32_t alike = std::min(cursor.left, jobs.ranks.of_step(job, cursor.tasks));
    const std::uint32_t given = now.slots.give(capped ? std::min(alike, cap - cursor.running) : alike, end);
    now.idle += static_cast<double>(waited) * given;
    if (counts_) counted_[job].emplace_back(end, given);
    cursor.left -= given;
    cursor.tasks -= given;
    if (cursor.left == 0) {
      if (++cursor.run == end_of_runs) break;
      cursor.left = tasks_.runs[cursor.run].count;
    }
    if constexpr (capped) {
      now.own.resize(counts_of_.size());
      for (std::uint32_t i = 0; i < given; ++i) heap_push(now.own[job], end);
      cursor.running += given;
      if (cursor.running == cap) {
        heap_push(now.blocked, Keyed(now.own[job].front(), job));
        break;
      }
    }
    clock = std::max(clock, now.slots.first());
    const Keyed again(slack(jobs.ranks, job, cursor), job);
    if (others <= clock || best < again) {
      heap_push(now.heap, again);
      break;
    }
    least = again.first;
  }
  now.cursors[job] = cursor;
  now.ends[job] = last;
  now.clock = clock;
  now.most_slack = std::max(now.most_slack, least);
}

template class SlackStage<WaveSlots>;
template class SlackStage<SlotTree>;

}  // namespace wavewright
