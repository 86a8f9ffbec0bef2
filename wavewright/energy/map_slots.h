// The map attempts on each slot. Some may share one: a slot is free when the last of them has left.
#pragma once

#include <unordered_map>
#include <vector>

#include "wavewright/sched/event.h"

namespace wavewright {

class MapSlots {
 public:
  // The attempt of the event took its slot. True if the slot was free. O(1).
  bool take(const Event& event);
  // It left the slot. True if the slot is free now. False, too, if the attempt was not there: a finished map
  // whose output is lost holds no slot any more. O(attempts on the slot).
  bool leave(const Event& event);

 private:
  struct Attempt {
    JobIndex job = 0;
    TaskIndex task = 0;
    std::uint32_t number = 0;  // of the task's attempts, from 1; 0 = there is none
    [[nodiscard]] bool there() const { return number > 0; }
    friend bool operator==(const Attempt&, const Attempt&) = default;
  };
  [[nodiscard]] static Attempt attempt(const Event& event) {
    return {event.job, event.task, event.attempt + 1};
  }

  std::vector<Attempt> first_;                                  // by slot
  std::unordered_map<SlotIndex, std::vector<Attempt>> others_;  // that share it; no entry if there are none
};

}  // namespace wavewright
