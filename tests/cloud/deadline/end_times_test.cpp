// Instants that come and go are as in a multiset.
#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "tests/property.h"
#include "wavewright/cloud/deadline/end_times.h"

namespace wavewright {
namespace {

std::vector<std::pair<Time, Count>> listed(const EndTimes& times) {
  std::vector<std::pair<Time, Count>> groups;
  times.each([&](Time at, Count count) { groups.emplace_back(at, count); });
  return groups;
}

std::vector<std::pair<Time, Count>> listed(const std::multiset<Time>& times) {
  std::vector<std::pair<Time, Count>> groups;
  for (auto at = times.begin(); at != times.end(); at = times.upper_bound(*at))
    groups.emplace_back(*at, static_cast<Count>(times.count(*at)));
  return groups;
}

TEST(EndTimes, AreAsAMultiset) {
  holds_always([] {
    EndTimes times;
    std::multiset<Time> expected;
    const int range = *rc::gen::inRange(1, 60);
    for (int steps = *rc::gen::inRange(0, 200); steps > 0; --steps) {
      if (expected.empty() || *rc::gen::inRange(0, 5) < 3) {
        const Time at = at_ms(*rc::gen::inRange(0, range));
        times.add(at);
        expected.insert(at);
      } else {
        const auto any =
            std::next(expected.begin(), *rc::gen::inRange<int>(0, static_cast<int>(expected.size())));
        times.remove(*any);
        expected.erase(any);
      }
      RC_ASSERT(times.empty() == expected.empty());
      RC_ASSERT(times.count() == static_cast<Count>(expected.size()));
      if (!expected.empty()) RC_ASSERT(times.latest() == *expected.rbegin());
      RC_ASSERT(listed(times) == listed(expected));
    }
  });
}

}  // namespace
}  // namespace wavewright
