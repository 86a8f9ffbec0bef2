#include "wavewright/energy/fit/busy_time.h"

#include <algorithm>
#include <map>

namespace wavewright {

BusyTime::BusyTime(const std::vector<std::pair<Time, Time>>& tasks) {
  std::map<Time, std::int64_t> steps;
  for (const auto& [start, end] : tasks) {
    if (end <= start) continue;
    ++steps[start];
    --steps[end];
  }
  for (const auto& [at, step] : steps) {
    const Change last = changes_.empty() ? Change{at, 0, 0} : changes_.back();
    changes_.push_back({at, last.running + step, last.sum + last.running * to_ms(at - last.at)});
  }
}

std::int64_t BusyTime::before(Time at) const {
  const auto after = std::upper_bound(changes_.begin(), changes_.end(), at,
                                      [](Time time, const Change& each) { return time < each.at; });
  if (after == changes_.begin()) return 0;
  const Change& last = *(after - 1);
  return last.sum + last.running * to_ms(at - last.at);
}

}  // namespace wavewright
