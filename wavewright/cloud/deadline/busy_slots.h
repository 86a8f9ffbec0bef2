// The slots that are busy, by event, and when each will be free by the job's mean length of tasks.
#pragma once

#include <array>
#include <vector>

#include "wavewright/sched/view.h"

namespace wavewright {

class BusySlots {
 public:
  struct Slot {
    JobIndex job = 0;
    TaskIndex task = 0;
    std::uint32_t attempt = 0;
    Time until{};
    bool busy = false;
  };

  // Hears `started`, `ended` and `lost`; other events say nothing of slots. O(1).
  void hear(const Event& event, const View& view);
  // By number; slots beyond the last one that was ever busy are left out.
  [[nodiscard]] const std::vector<Slot>& of(Kind kind) const { return slots_[kind == Kind::reduce ? 1 : 0]; }
  [[nodiscard]] std::vector<Time> until(Kind kind) const;  // of the busy ones. O(slots)

 private:
  std::array<std::vector<Slot>, 2> slots_;  // maps, reduces
};

}  // namespace wavewright
