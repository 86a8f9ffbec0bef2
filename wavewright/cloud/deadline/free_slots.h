// When the slots of one kind are free, as groups of equal instants, and where tasks of equal length end that
// are given to the slots that are free first. It is list scheduling in closed form: its time does not grow
// with the number of tasks.
#pragma once

#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"

namespace wavewright {

class FreeSlots {
 public:
  void clear() {
    groups_.clear();
    sorted_ = true;
  }
  void add(Time from, Count slots);  // `slots` of them are free from then on; none if not above 0
  // Takes up to `slots` of those that are free first out. Returns how many it took.
  Count take_out(Count slots);
  [[nodiscard]] Count count() const;

  // Gives `tasks` of length `task` (at least 1 ms counts), none before `release`, each to the slot that is
  // free first. Returns the end of the last one; `release` without tasks, Time::max() without slots.
  // O(groups · log groups).
  Time place(Count tasks, Duration task, Time release);

 private:
  struct Group {
    Time from{};
    Count slots = 0;
  };
  void normalise();   // ascending, one group an instant
  void merge_runs();  // ascending; the groups are in few ascending runs. O(groups · log runs)
  // When the last of the tasks ends; of slots that are there, in ascending order.
  [[nodiscard]] Time last_end(Count tasks, Duration task, Time release);
  [[nodiscard]] Time before_last_end(Count tasks, Duration task, Time release) const;

  std::vector<Group> groups_;
  std::vector<Group> spare_;  // memory for what is computed
  bool sorted_ = true;
};

}  // namespace wavewright
