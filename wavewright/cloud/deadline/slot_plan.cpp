#include "wavewright/cloud/deadline/slot_plan.h"

#include <algorithm>
#include <functional>

namespace wavewright {

void SlotPlan::refresh(Time now, Count slots, std::vector<Time> busy_until) {
  now_ = now;
  const auto count = static_cast<std::size_t>(std::max<Count>(0, slots));
  std::ranges::sort(free_, std::greater{});
  std::ranges::sort(busy_until, std::greater{});
  free_.resize(count, now);
  busy_until.resize(count, now);
  for (std::size_t i = 0; i < count; ++i) free_[i] = std::max({free_[i], busy_until[i], now});
  std::ranges::reverse(free_);
}

SlotPlan::Taken SlotPlan::place(Count tasks, Duration task, Time end, Time latest) {
  Taken taken;
  const Duration each = std::max(task, ms(1));
  for (Time& free : free_) {
    if (free > now_ || taken.tasks == tasks) break;
    free = now_ + each;
    ++taken.idle;
    ++taken.tasks;
  }
  std::ranges::sort(free_);
  for (Time& free : free_) {
    if (free >= end || free > latest || taken.tasks == tasks) break;
    const Count fit = std::min<Count>((end - free) / each, tasks - taken.tasks);
    free += fit * each;
    taken.tasks += fit;
  }
  std::ranges::sort(free_);
  return taken;
}

}  // namespace wavewright
