#include "wavewright/energy/map_slots.h"

#include <algorithm>
#include <utility>

namespace wavewright {

bool MapSlots::take(const Event& event) {
  if (event.slot >= first_.size()) first_.resize(std::size_t{event.slot} + 1);
  Attempt& first = first_[event.slot];
  if (first.there()) {
    others_[event.slot].push_back(attempt(event));
    return false;
  }
  first = attempt(event);
  return true;
}

bool MapSlots::leave(const Event& event) {
  if (event.slot >= first_.size()) return false;
  Attempt& first = first_[event.slot];
  const bool is_first = first == attempt(event);
  const auto others = others_.empty() ? others_.end() : others_.find(event.slot);
  if (others == others_.end()) {
    if (is_first) first = {};
    return is_first;
  }
  if (is_first) {
    first = others->second.back();
    others->second.pop_back();
  } else {
    std::erase(others->second, attempt(event));
  }
  if (others->second.empty()) others_.erase(others);
  return false;
}

}  // namespace wavewright
