#include "wavewright/plan/schedule/order_stage.h"

#include <algorithm>
#include <utility>

namespace wavewright {

namespace {

constexpr std::uint64_t most_states = 24;  // saved of a schedule
constexpr std::uint64_t slots_a_task = 8;  // copying so many slots takes about as long as placing a task

}  // namespace

template <class Slots>
OrderStage<Slots>::OrderStage(StageTasks tasks, Count slots)
    : tasks_(std::move(tasks)), state_{Slots(used_slots(slots, tasks_.tasks)), sim::NumberSet(0)} {
  const std::size_t jobs = tasks_.runs_from.size() - 1;
  for (JobIndex job = 0; job < jobs; ++job) {
    if (tasks_.none(job)) {
      without_tasks_.push_back(job);
      first_.push_back({});
    } else {
      first_.push_back({tasks_.runs_from[job], tasks_.of(job).front().count});
    }
  }
  tasks_of_state_ = 1 + std::max(tasks_.tasks / most_states,
                                 static_cast<std::uint64_t>(used_slots(slots, tasks_.tasks)) / slots_a_task);
  state_.waiting = sim::NumberSet(static_cast<std::uint32_t>(jobs), false);
  states_.push_back(state_);
}

template <class Slots>
void OrderStage<Slots>::start(std::span<const JobIndex> order, std::span<const std::int64_t> ready) {
  kept_.order.assign(order.begin(), order.end());
  kept_.position.resize(order.size());
  for (std::uint32_t position = 0; position < order.size(); ++position)
    kept_.position[order[position]] = position;
  ready_.assign(ready.begin(), ready.end());
  kept_.by_ready.clear();
  for (JobIndex job = 0; job < order.size(); ++job) {
    if (!tasks_.none(job)) kept_.by_ready.push_back({ready[job], job});
  }
  std::sort(kept_.by_ready.begin(), kept_.by_ready.end(),
            [](const Ready& a, const Ready& b) { return a.at < b.at; });
  kept_.ends.resize(order.size());
  times_.first.assign(order.size(), no_time);
  times_.last.assign(order.size(), -1);
  now_ = kept_;
  low_ = high_ = 0;
  continued_from_ = 0;
  keep();
}

template <class Slots>
void OrderStage<Slots>::schedule(const OrderMove& move, std::span<const std::int64_t> ready,
                                 std::int64_t differ_from) {
  const bool moves = move.from != move.to;
  if (!moves && differ_from == no_time) {
    now_ = kept_;
    ready_ = times_.ready;
    low_ = high_ = 0;
    continued_from_ = saved_ - 1;
    return;
  }
  change(move, ready);
  sort_by_ready(differ_from);
  const std::int64_t first = std::min(differ_from, differs_from(move, kept_.order, times_));
  const auto states = std::span(states_).first(saved_);
  const auto behind = std::partition_point(states.begin() + 1, states.end(),
                                           [&](const State& state) { return state.clock < first; });
  continued_from_ = static_cast<std::size_t>(behind - states.begin()) - 1;
  continue_from(states_[continued_from_]);
  run<false>();
}

template <class Slots>
void OrderStage<Slots>::change(const OrderMove& move, std::span<const std::int64_t> ready) {
  now_.order = kept_.order;
  now_.position = kept_.position;
  move_job(move, now_.order);
  low_ = std::min(move.from, move.to);
  high_ = move.from == move.to ? low_ : std::max(move.from, move.to) + 1;
  for (std::size_t position = low_; position < high_; ++position)
    now_.position[now_.order[position]] = static_cast<std::uint32_t>(position);
  ready_.assign(ready.begin(), ready.end());
  now_.ends = kept_.ends;
}

// Most ready times change by little: insertion sort.
template <class Slots>
void OrderStage<Slots>::sort_by_ready(std::int64_t differ_from) {
  now_.by_ready = kept_.by_ready;
  if (differ_from == no_time) return;
  const auto first = std::partition_point(now_.by_ready.begin(), now_.by_ready.end(),
                                          [&](const Ready& job) { return job.at < differ_from; });
  for (auto at = first; at != now_.by_ready.end(); ++at) {
    const Ready job{ready_[at->job], at->job};
    auto to = at;
    for (; to != first && std::prev(to)->at > job.at; --to) *to = *std::prev(to);
    *to = job;
  }
}

template <class Slots>
void OrderStage<Slots>::reposition(sim::NumberSet& waiting, const sim::NumberSet& kept) const {
  for (std::size_t position = low_; position < high_; ++position) {
    const auto number = static_cast<std::uint32_t>(position);
    const bool was = kept.contains(number), is = kept.contains(kept_.position[now_.order[position]]);
    if (is && !was) waiting.insert(number);
    if (was && !is) waiting.erase(number);
  }
}

template <class Slots>
void OrderStage<Slots>::continue_from(const State& state) {
  state_ = state;
  reposition(state_.waiting, state.waiting);
  cursors_ = first_;
  for (const auto& [job, cursor] : state.begun) cursors_[job] = cursor;
  for (const JobIndex job : without_tasks_) now_.ends[job] = ready_[job];
}

template <class Slots>
void OrderStage<Slots>::keep() {
  // Earlier states hold positions of the order before.
  if (low_ < high_) {
    for (std::size_t i = 1; i <= continued_from_; ++i) {
      State& state = states_[i];
      const sim::NumberSet kept = state.waiting;
      reposition(state.waiting, kept);
    }
  }
  std::swap(kept_, now_);
  times_.ready = ready_;
  low_ = high_ = 0;
  now_ = kept_;
  saved_ = continued_from_ + 1;
  continue_from(states_[continued_from_]);
  run<true>();
  std::swap(kept_.ends, now_.ends);
  now_.ends = kept_.ends;
}

template <class Slots>
void OrderStage<Slots>::save() {
  for (auto& [job, cursor] : state_.begun) cursor = cursors_[job];
  if (saved_ == states_.size()) {
    states_.push_back(state_);
  } else {
    states_[saved_] = state_;
  }
  ++saved_;
}

template <class Slots>
void OrderStage<Slots>::yield(JobIndex job) {
  if (cursors_[job].begun) return;
  cursors_[job].begun = true;
  state_.begun.emplace_back(job, cursors_[job]);
}

template <class Slots>
void OrderStage<Slots>::finish(JobIndex job) {
  state_.waiting.erase(now_.position[job]);
  now_.ends[job] = cursors_[job].last;
  if (cursors_[job].begun) std::erase_if(state_.begun, [&](const auto& one) { return one.first == job; });
}

template <class Slots>
template <bool saves>
void OrderStage<Slots>::run() {
  State& now = state_;
  const std::vector<Ready>& jobs = now_.by_ready;
  std::uint64_t placed = 0;
  std::int64_t next_ready = now.next < jobs.size() ? jobs[now.next].at : no_time;
  while (now.next < jobs.size() || !now.waiting.empty()) {
    if (saves && placed >= tasks_of_state_) {
      save();
      placed = 0;
    }
    if (now.waiting.empty()) now.clock = std::max(now.clock, next_ready);
    now.clock = std::max(now.clock, now.slots.first());
    while (next_ready <= now.clock) {
      now.waiting.insert(now_.position[jobs[now.next].job]);
      next_ready = ++now.next < jobs.size() ? jobs[now.next].at : no_time;
    }
    const std::uint32_t position = now.waiting.lowest();
    const JobIndex job = now_.order[position];
    Cursor& cursor = cursors_[job];
    if (saves && !cursor.begun) times_.first[job] = now.clock;
    const std::int64_t ready = ready_[job];
    for (;;) {  // until another job becomes ready, which may go first
      const StageTasks::Run& run = tasks_.runs[cursor.run];
      const std::int64_t end = now.clock + (now.clock == ready ? run.first : run.later);
      cursor.last = std::max(cursor.last, end);
      const std::uint32_t given = now.slots.give(cursor.left, end);
      placed += given;
      cursor.left -= given;
      if (cursor.left == 0) {
        if (++cursor.run == tasks_.runs_from[job + 1]) {
          if (saves) times_.last[job] = now.clock;
          finish(job);
          break;
        }
        cursor.left = tasks_.runs[cursor.run].count;
      }
      now.clock = std::max(now.clock, now.slots.first());
      if (next_ready <= now.clock) {
        yield(job);
        break;
      }
    }
  }
}

template <class Slots>
std::int64_t OrderStage<Slots>::ends_differ_from() const {
  std::int64_t first = no_time;
  for (std::size_t job = 0; job < now_.ends.size(); ++job) {
    const std::int64_t now = now_.ends[job], kept = kept_.ends[job];
    if (now != kept) first = std::min({first, now, kept});
  }
  return first;
}

template class OrderStage<WaveSlots>;
template class OrderStage<SlotTree>;

}  // namespace wavewright
