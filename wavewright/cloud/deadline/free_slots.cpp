#include "wavewright/cloud/deadline/free_slots.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace wavewright {

void FreeSlots::add(Time from, Count slots) {
  if (slots <= 0) return;
  if (!groups_.empty() && groups_.back().from == from) {
    groups_.back().slots += slots;
    return;
  }
  sorted_ = sorted_ && (groups_.empty() || groups_.back().from < from);
  groups_.push_back({from, slots});
}

Count FreeSlots::count() const {
  Count all = 0;
  for (const Group& group : groups_) all += group.slots;
  return all;
}

void FreeSlots::merge_runs() {
  while (!std::ranges::is_sorted(groups_, {}, &Group::from)) {
    spare_.clear();
    for (auto run = groups_.begin(); run != groups_.end();) {
      const auto next = std::ranges::is_sorted_until(run, groups_.end(), {}, &Group::from);
      const auto end = std::ranges::is_sorted_until(next, groups_.end(), {}, &Group::from);
      std::ranges::merge(run, next, next, end, std::back_inserter(spare_), {}, &Group::from, &Group::from);
      run = end;
    }
    std::swap(groups_, spare_);
  }
}

void FreeSlots::normalise() {
  if (!sorted_) merge_runs();
  sorted_ = true;
  std::size_t kept = 0;
  for (const Group& group : groups_) {
    if (kept > 0 && groups_[kept - 1].from == group.from) {
      groups_[kept - 1].slots += group.slots;
    } else if (group.slots > 0) {
      groups_[kept++] = group;
    }
  }
  groups_.resize(kept);
}

Count FreeSlots::take_out(Count slots) {
  normalise();
  Count taken = 0;
  for (Group& group : groups_) {
    const Count here = std::min(group.slots, slots - taken);
    group.slots -= here;
    taken += here;
    if (taken == slots) break;
  }
  normalise();
  return taken;
}

// Each slot has one end of a task in any span of the length of a task, from its own first end on. So the
// tasks that end before such a span are counted, and the last end is looked for inside.
Time FreeSlots::last_end(Count tasks, Duration task, Time release) {
  const Time before = before_last_end(tasks, task, release);
  Count open = tasks;  // that end after `before`
  spare_.clear();      // the next end of each slot
  for (const Group& group : groups_) {
    const Time from = std::max(group.from, release);
    if (from > before) break;
    const Count ended = (before - from) / task;
    open -= ended * group.slots;
    spare_.push_back({from + (ended + 1) * task, group.slots});
  }
  // Halves the ends among which it is.
  auto first = spare_.begin(), last = spare_.end();
  while (last - first > 1) {
    const auto middle = first + (last - first) / 2;
    std::ranges::nth_element(first, middle, last, {}, &Group::from);
    Count earlier = 0;
    for (auto at = first; at != middle; ++at) earlier += at->slots;
    if (earlier >= open) {
      last = middle;
    } else {
      open -= earlier;
      first = middle;
    }
  }
  return first->from;
}

// The last instant at which not all tasks could have ended if they were divisible; less than the length of a
// task before the last end.
Time FreeSlots::before_last_end(Count tasks, Duration task, Time release) const {
  const Time first = std::max(groups_.front().from, release);
  const std::int64_t work = tasks * task.count();
  std::int64_t slots = 0, missed = 0;  // slots that are free by then, and their time until they are
  Time end = Time::max();
  for (const Group& group : groups_) {
    const Time from = std::max(group.from, release);
    if (from >= end) break;
    slots += group.slots;
    missed += group.slots * (from - first).count();
    end = first + ms((work + missed + slots - 1) / slots);
  }
  return end - ms(1);
}

Time FreeSlots::place(Count tasks, Duration task, Time release) {
  if (tasks <= 0) return release;
  normalise();
  if (groups_.empty()) return Time::max();
  const Duration each = std::max(task, ms(1));
  const Time last = last_end(tasks, each, release);
  Count over = -tasks;  // that would end at `last` and are not needed
  for (const Group& group : groups_) {
    const Time from = std::max(group.from, release);
    if (from + each > last) break;
    over += group.slots * ((last - from) / each);
  }
  spare_.clear();
  for (auto at = groups_.rbegin(); at != groups_.rend(); ++at) {  // those that were free last stay free
    const Group& group = *at;
    const Time from = std::max(group.from, release);
    const Count of_each = from + each > last ? 0 : (last - from) / each;
    if (of_each == 0) {
      spare_.push_back(group);
      continue;
    }
    const Time end = from + of_each * each;
    const Count fewer = end == last ? std::min(over, group.slots) : 0;
    over -= fewer;
    if (fewer > 0) spare_.push_back({of_each == 1 ? group.from : end - each, fewer});
    if (fewer < group.slots) spare_.push_back({end, group.slots - fewer});
  }
  std::ranges::reverse(spare_);  // so that the runs ascend
  std::swap(groups_, spare_);
  sorted_ = false;
  return last;
}

}  // namespace wavewright
