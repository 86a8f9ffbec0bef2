// The queue of ends with a base that moves along, against a plain map.
#include "wavewright/sim/kernel/slot_queue.h"

#include <map>
#include <tuple>

#include "tests/property.h"

namespace wavewright {
namespace {

TEST(RollingSlotQueue, TellsTheFirstEndHoweverLongItRuns) {
  holds_always(
      [] {
        const auto slots = *rc::gen::inRange<std::uint32_t>(1, 40);
        const auto spread = *rc::gen::inRange<std::uint64_t>(0, 30);
        sim::RollingSlotQueue queue(slots, spread);
        std::map<std::uint32_t, std::uint64_t> ends;  // by slot
        std::uint64_t now = *rc::gen::inRange<std::uint64_t>(0, 100);
        const auto steps = *rc::gen::container<std::vector<std::tuple<std::uint32_t, std::uint64_t, bool>>>(
            rc::gen::tuple(rc::gen::inRange<std::uint32_t>(0, slots),
                           rc::gen::inRange<std::uint64_t>(0, spread + 1), rc::gen::arbitrary<bool>()));
        for (const auto& [slot, ahead, clears] : steps) {
          if (clears) {
            queue.clear(slot);
            ends.erase(slot);
          } else {
            queue.set(slot, now + ahead);
            ends[slot] = now + ahead;
          }
          RC_ASSERT(queue.empty() == ends.empty());
          if (ends.empty()) {
            now += 1'000'000'007;  // a long time in which nothing runs
            continue;
          }
          std::pair first(~std::uint64_t{0}, std::uint32_t{0});
          for (const auto& [each, end] : ends) first = std::min(first, {end, each});
          RC_ASSERT(queue.first_instant() == first.first);
          RC_ASSERT(queue.first_slot() == first.second);
          now = std::max(now, first.first);
          if (clears) now += ahead;
          std::erase_if(ends, [&](const auto& each) {
            if (each.second >= now) return false;
            queue.clear(each.first);
            return true;
          });
        }
      },
      500);
}

TEST(RollingSlotQueue, NeedsNoMoreBitsThanTwoSpreads) {
  using Queue = sim::RollingSlotQueue;
  EXPECT_EQ(Queue::instant_bits(0), 2U);
  EXPECT_EQ(Queue::instant_bits(1'000), 11U);
  EXPECT_EQ(Queue::instant_bits(std::uint64_t{1} << 40), 42U);
}

}  // namespace
}  // namespace wavewright
