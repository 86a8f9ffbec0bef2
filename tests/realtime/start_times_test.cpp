// Starts of running tasks as a bag.
#include "wavewright/realtime/start_times.h"

#include <algorithm>

#include "tests/property.h"

namespace wavewright {
namespace {

TEST(StartTimes, AreABag) {
  holds_always([] {
    StartTimes starts;
    std::vector<Time> by_letter;
    for (int step = 0; step < 30; ++step) {
      const Time at = at_ms(*rc::gen::inRange(0, 8));
      const auto found = std::find(by_letter.begin(), by_letter.end(), at);
      if (*rc::gen::arbitrary<bool>()) {
        starts.add(at);
        by_letter.push_back(at);
      } else {
        RC_ASSERT(starts.remove(at) == (found != by_letter.end()));
        if (found != by_letter.end()) by_letter.erase(found);
      }
      std::vector<Time> times;
      starts.append_to(times);
      std::sort(by_letter.begin(), by_letter.end());
      RC_ASSERT(times == by_letter);
      RC_ASSERT(starts.size() == by_letter.size());
    }
  });
}

}  // namespace
}  // namespace wavewright
