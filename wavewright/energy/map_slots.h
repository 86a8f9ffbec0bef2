// The map attempts on each slot. Some may share one: a slot is free when the last of them has left.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wavewright/sched/event.h"

namespace wavewright {

class MapSlots {
 public:
  // The attempt of the event took its slot. True if the slot was free. O(1).
  bool take(const Event& event) {
    if (event.slot >= first_.size()) first_.resize(std::size_t{event.slot} + 1);
    Attempt& first = first_[event.slot];
    if (first.there) {
      others_[event.slot].push_back(attempt(event));
      return false;
    }
    first = attempt(event);
    return true;
  }
  // It left the slot. True if the slot is free now; false also if the attempt was not there: a finished map
  // whose output is lost holds no slot any more. O(attempts on the slot).
  bool leave(const Event& event) {
    if (event.slot >= first_.size()) return false;
    Attempt& first = first_[event.slot];
    const auto others = others_.empty() ? others_.end() : others_.find(event.slot);
    if (others == others_.end()) return first == attempt(event) && std::exchange(first, {}).there;
    if (first == attempt(event)) {
      first = others->second.back();
      others->second.pop_back();
    } else {
      std::erase(others->second, attempt(event));
    }
    if (others->second.empty()) others_.erase(others);
    return false;
  }

 private:
  struct Attempt {
    JobIndex job = 0;
    TaskIndex task = 0;
    std::uint32_t number = 0;
    bool there = false;
    friend bool operator==(const Attempt&, const Attempt&) = default;
  };
  [[nodiscard]] static Attempt attempt(const Event& event) {
    return {event.job, event.task, event.attempt, true};
  }

  std::vector<Attempt> first_;  // by slot
  std::unordered_map<SlotIndex, std::vector<Attempt>> others_;
};

}  // namespace wavewright
