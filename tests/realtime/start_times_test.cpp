// Starts of running attempts as a bag.
#include "wavewright/realtime/start_times.h"

#include <algorithm>
#include <utility>

#include "tests/property.h"

namespace wavewright {
namespace {

TEST(StartTimes, AreABag) {
  holds_always([] {
    StartTimes starts;
    std::vector<std::pair<TaskIndex, Time>> by_letter;
    for (int step = 0; step < 40; ++step) {
      const TaskIndex task = *rc::gen::inRange<TaskIndex>(0, 4);
      const Time at = at_ms(*rc::gen::inRange(0, 3));
      const auto found = std::find(by_letter.begin(), by_letter.end(), std::pair(task, at));
      if (*rc::gen::arbitrary<bool>()) {
        starts.add(task, at);
        by_letter.emplace_back(task, at);
      } else {
        RC_ASSERT(starts.remove(task, at) == (found != by_letter.end()));
        if (found != by_letter.end()) by_letter.erase(found);
      }
      std::vector<Time> times, expected;
      starts.append_to(times);
      for (const auto& [of, start] : by_letter) expected.push_back(start);
      std::sort(times.begin(), times.end());
      std::sort(expected.begin(), expected.end());
      RC_ASSERT(times == expected);
      RC_ASSERT(starts.size() == by_letter.size());
    }
  });
}

}  // namespace
}  // namespace wavewright
