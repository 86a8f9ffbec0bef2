#include "wavewright/plan/schedule/ranked_schedule.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "wavewright/sim/pool/stage.h"

namespace wavewright {

namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

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

RankedSchedule::RankedSchedule(const Workload& batch, double slowstart)
    : maps_(maps_of(batch)),
      reduces_(reduces_of(batch)),
      maps_left_(longest_left(maps_)),
      reduces_left_(longest_left(reduces_)) {
  for (const Job& job : batch.jobs) {
    submits_.push_back(to_ms(job.submit));
    if (slowstart < 1) {
      before_reduces_.push_back(
          sim::maps_before_reduces(static_cast<std::uint32_t>(job.maps.size()), slowstart));
    }
  }
  const std::size_t jobs = submits_.size();
  times_ = {std::vector<std::int64_t>(jobs), std::vector<std::int64_t>(jobs)};
  ends_.resize(jobs);
  cursors_.resize(jobs);
  own_.resize(jobs);
  if (slowstart < 1) counted_.resize(jobs);
}

Value RankedSchedule::value(const Ranking& ranking) {
  const bool counts = !before_reduces_.empty();
  schedule({maps_, maps_left_, ranking.maps, submits_, submits_, times_.ends, counts}, ranking, Kind::map);
  times_.ready = times_.ends;
  if (counts) find_ready();
  return value_of_reduces(ranking, times_);
}

Value RankedSchedule::value_of_reduces(const Ranking& ranking, const MapTimes& times) {
  if (&times != &times_) times_ = times;
  schedule({reduces_, reduces_left_, ranking.reduces, times_.ready, times_.ends, ends_, false}, ranking,
           Kind::reduce);
  std::int64_t last = 0, total = 0;
  for (JobIndex job = 0; job < ends_.size(); ++job) {
    ends_[job] = std::max(ends_[job], times_.ends[job]);
    last = std::max(last, ends_[job]);
    total += ends_[job] - submits_[job];
  }
  return {ms(last), ms(total)};
}

// When so many of each job's maps have ended.
void RankedSchedule::find_ready() {
  for (JobIndex job = 0; job < jobs(); ++job) {
    std::uint32_t wanted = before_reduces_[job];
    times_.ready[job] = submits_[job];
    std::sort(counted_[job].begin(), counted_[job].end());
    for (const auto& [end, count] : counted_[job]) {
      if (wanted == 0) break;
      times_.ready[job] = end;
      wanted -= std::min(wanted, count);
    }
  }
}

void RankedSchedule::schedule(const Stage& stage, const Ranking& ranking, Kind kind) {
  for (std::uint32_t pool = 0; pool < ranking.pools.size(); ++pool) {
    served_.clear();
    std::uint64_t tasks = ranking.pools.size() == 1 ? stage.tasks.tasks : 0;
    for (JobIndex job = 0; job < ranking.pool_of.size(); ++job) {
      if (ranking.pool_of[job] != pool) continue;
      stage.ends[job] = stage.ready[job];
      if (stage.counts) counted_[job].clear();
      if (stage.tasks.none(job)) continue;
      served_.push_back(job);
      if (ranking.pools.size() == 1) continue;
      for (const StageTasks::Run& run : stage.tasks.of(job)) tasks += run.count;
    }
    if (served_.empty()) continue;
    const SlotPool& slots = ranking.pools[pool];
    const std::uint32_t used = used_slots(kind == Kind::map ? slots.map_slots : slots.reduce_slots, tasks);
    if (stage.tasks.alike()) {
      waves_.reset(used);
      give_out(stage, waves_, served_);
      continue;
    }
    SlotTree& tree = tree_of(used);
    tree.reset();
    give_out(stage, tree, served_);
  }
}

// Those of the sizes that were needed first are kept; a search comes back to them.
SlotTree& RankedSchedule::tree_of(std::uint32_t slots) {
  constexpr std::size_t most = 16;
  for (SlotTree& tree : trees_) {
    if (tree.slots() == slots) return tree;
  }
  if (trees_.size() == most) trees_.pop_back();
  return trees_.emplace_back(slots);
}

void RankedSchedule::push(const Stage& stage, JobIndex job) {
  heap_push(heap_, Keyed(stage.ranks.due[job] - stage.left[cursors_[job].run], job));
}

// Capped jobs of which a task has ended by now.
void RankedSchedule::unblock(const Stage& stage) {
  while (!blocked_.empty() && blocked_.front().first <= clock_) {
    const JobIndex job = heap_pop(blocked_).second;
    while (!own_[job].empty() && own_[job].front() <= clock_) {
      heap_pop(own_[job]);
      --cursors_[job].running;
    }
    push(stage, job);
  }
}

template <class Slots>
void RankedSchedule::give_out(const Stage& stage, Slots& slots, std::span<JobIndex> jobs) {
  const auto& ready = stage.ready;
  std::sort(jobs.begin(), jobs.end(),
            [&](JobIndex a, JobIndex b) { return std::pair(ready[a], a) < std::pair(ready[b], b); });
  for (const JobIndex job : jobs) {
    const std::uint32_t run = stage.tasks.runs_from[job];
    cursors_[job] = {run, stage.tasks.runs[run].count, 0};
    own_[job].clear();
  }
  heap_.clear();
  blocked_.clear();
  clock_ = 0;
  std::size_t next = 0;
  while (next < jobs.size() || !heap_.empty() || !blocked_.empty()) {
    const auto next_ready = [&] { return next < jobs.size() ? ready[jobs[next]] : never; };
    if (heap_.empty()) {
      const std::int64_t unblocked = blocked_.empty() ? never : blocked_.front().first;
      clock_ = std::max(clock_, std::min(next_ready(), unblocked));
    }
    clock_ = std::max(clock_, slots.first());
    while (next_ready() <= clock_) push(stage, jobs[next++]);
    unblock(stage);
    const JobIndex job = heap_pop(heap_).second;
    if (stage.ranks.cap[job] == Ranking::uncapped) {
      take_turn<false>(stage, slots, job, next_ready());
    } else {
      take_turn<true>(stage, slots, job, next_ready());
    }
  }
}

// Its tasks, until another may come before it.
template <bool capped, class Slots>
void RankedSchedule::take_turn(const Stage& stage, Slots& slots, JobIndex job, std::int64_t next_ready) {
  const std::uint32_t cap = stage.ranks.cap[job], end_of_runs = stage.tasks.runs_from[job + 1];
  const std::int64_t maps_end = stage.maps_end[job], due = stage.ranks.due[job];
  const std::int64_t others = std::min(next_ready, blocked_.empty() ? never : blocked_.front().first);
  const Keyed best = heap_.empty() ? Keyed(never, 0) : heap_.front();
  Cursor cursor = cursors_[job];
  std::int64_t clock = clock_, last = stage.ends[job];
  for (;;) {
    const StageTasks::Run& run = stage.tasks.runs[cursor.run];
    const std::int64_t end = clock <= maps_end ? maps_end + run.first : clock + run.later;
    last = std::max(last, end);
    const std::uint32_t given =
        slots.give(capped ? std::min(cursor.left, cap - cursor.running) : cursor.left, end);
    if (stage.counts) counted_[job].emplace_back(end, given);
    cursor.left -= given;
    if (cursor.left == 0) {
      if (++cursor.run == end_of_runs) break;
      cursor.left = stage.tasks.runs[cursor.run].count;
    }
    if constexpr (capped) {
      for (std::uint32_t i = 0; i < given; ++i) heap_push(own_[job], end);
      cursor.running += given;
      if (cursor.running == cap) {
        heap_push(blocked_, Keyed(own_[job].front(), job));
        break;
      }
    }
    clock = std::max(clock, slots.first());
    const Keyed again(due - stage.left[cursor.run], job);
    if (others <= clock || best < again) {
      heap_push(heap_, again);
      break;
    }
  }
  cursors_[job] = cursor;
  stage.ends[job] = last;
  clock_ = clock;
}

}  // namespace wavewright
