// Instants that come and go, each with its number: when tasks that run will have ended.
#pragma once

#include <cstddef>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"

namespace wavewright {

class EndTimes {
 public:
  // O(1) for the latest one so far and those that leave in order; else O(instants) moves at worst.
  void add(Time at);
  void remove(Time at);  // one that was added
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] Count count() const { return count_; }
  [[nodiscard]] Time latest() const { return groups_.back().at; }  // not if empty
  // Calls visit(instant, number) in ascending order.
  template <class Visit>
  void each(Visit visit) const {
    for (const Group& group : groups_) {
      if (group.count > 0) visit(group.at, group.count);
    }
  }

 private:
  struct Group {
    Time at{};
    Count count = 0;
  };
  void drop_unused();

  std::vector<Group> groups_;  // ascending; some have no instants left, but not the last
  std::size_t unused_ = 0;     // such groups
  Count count_ = 0;
};

}  // namespace wavewright
