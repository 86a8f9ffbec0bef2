// Time in use of slots or containers, from the tasks that ran on them.
#pragma once

#include <algorithm>
#include <vector>

#include "wavewright/sim/result.h"

namespace wavewright {

// Tasks may share a slot (ClassSpeed::parallelism); it is in use until the last of them ends.
class SlotTime {
 public:
  // When the task begins to add to its slot's time in use, up to its end; its end if it adds nothing. O(1).
  // Call once for every task, in order of start or of end.
  [[nodiscard]] Time adds_from(const TaskRecord& task) {
    std::vector<Time>& slots = used_until_[static_cast<std::size_t>(task.kind)];
    if (task.slot >= slots.size()) slots.resize(std::size_t{task.slot} + 1);
    const Time from = std::min(task.end, std::max(task.start, slots[task.slot]));
    slots[task.slot] = std::max(slots[task.slot], task.end);
    return from;
  }

 private:
  std::vector<Time> used_until_[3];  // by Kind and slot
};

}  // namespace wavewright
