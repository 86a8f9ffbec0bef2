#include "wavewright/cloud/deadline/free_slots.h"

#include <algorithm>

namespace wavewright {

void FreeSlots::add(Time from, Count slots) {
  if (slots <= 0) return;
  sorted_ = sorted_ && (groups_.empty() || groups_.back().from <= from);
  groups_.push_back({from, slots});
}

Count FreeSlots::count() const {
  Count all = 0;
  for (const Group& group : groups_) all += group.slots;
  return all;
}

void FreeSlots::normalise() {
  if (!sorted_) std::ranges::sort(groups_, {}, &Group::from);
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

Count FreeSlots::fit(Time end, Duration task, Time release) const {
  Count tasks = 0;
  for (const Group& group : groups_) {
    const Time from = std::max(group.from, release);
    if (from + task > end) {
      if (group.from >= release) break;
      continue;
    }
    tasks += group.slots * ((end - from) / task);
  }
  return tasks;
}

Time FreeSlots::place(Count tasks, Duration task, Time release) {
  if (tasks <= 0) return release;
  normalise();
  if (groups_.empty()) return Time::max();
  const Duration each = std::max(task, ms(1));
  // The first instant by which all of them end.
  const Time first = std::max(groups_.front().from, release);
  Time low = first, high = first + each * ((tasks - 1) / groups_.front().slots + 1);
  while (high - low > ms(1)) {
    const Time middle = low + (high - low) / 2;
    (fit(middle, each, release) >= tasks ? high : low) = middle;
  }
  Count over = fit(high, each, release) - tasks;  // of those that would end at `high`, not needed
  spare_.clear();
  for (auto at = groups_.rbegin(); at != groups_.rend(); ++at) {  // those that were free last stay free
    const Group& group = *at;
    const Time from = std::max(group.from, release);
    const Count of_each = from + each > high ? 0 : (high - from) / each;
    if (of_each == 0) {
      spare_.push_back(group);
      continue;
    }
    const Time end = from + of_each * each;
    const Count fewer = end == high ? std::min(over, group.slots) : 0;
    over -= fewer;
    if (fewer > 0) spare_.push_back({of_each == 1 ? group.from : end - each, fewer});
    if (fewer < group.slots) spare_.push_back({end, group.slots - fewer});
  }
  std::swap(groups_, spare_);
  sorted_ = false;
  return high;
}

}  // namespace wavewright
