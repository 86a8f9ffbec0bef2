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

std::vector<std::int64_t> BusyTime::levels_within(Time from, Time to) const {
  std::vector<std::int64_t> levels(1, 0);
  auto next = std::upper_bound(changes_.begin(), changes_.end(), from,
                               [](Time time, const Change& each) { return time < each.at; });
  std::int64_t running = next == changes_.begin() ? 0 : (next - 1)->running;
  for (Time at = from; at < to; ++next) {
    const Time until = next == changes_.end() ? to : std::min(to, next->at);
    const auto level = static_cast<std::size_t>(running);
    levels.resize(std::max(levels.size(), level + 1));
    levels[level] += to_ms(until - at);
    at = until;
    if (next == changes_.end()) break;
    running = next->running;
  }
  return levels;
}

std::int64_t BusyTime::before(Time at) const {
  const auto after = std::upper_bound(changes_.begin(), changes_.end(), at,
                                      [](Time time, const Change& each) { return time < each.at; });
  if (after == changes_.begin()) return 0;
  const Change& last = *(after - 1);
  return last.sum + last.running * to_ms(at - last.at);
}

}  // namespace wavewright
