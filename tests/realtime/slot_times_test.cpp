#include "wavewright/realtime/slot_times.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "tests/property.h"
#include "wavewright/core/random.h"

namespace wavewright {
namespace {

using Times = std::vector<std::int64_t>;  // one a slot, sorted

Times listed(const SlotTimes& slots) {
  Times times;
  for (const SlotTimes::Step& step : slots.steps())
    times.insert(times.end(), static_cast<std::size_t>(step.slots), step.at);
  return times;
}

// [UNL Algs 5.2, 5.3] by letter.
std::int64_t place_by_letter(Times& times, Count tasks, std::int64_t length, std::int64_t from) {
  std::int64_t end = from;
  for (Count k = 0; k < tasks; ++k) {
    times.front() = std::max(times.front(), from);
    times.front() += length;
    end = times.front();
    std::sort(times.begin(), times.end());
  }
  return end;
}

// `wide`: so many times as many slots, over as much more time.
Times some_times(int wide = 1) {
  Times times;
  for (int i = *rc::gen::inRange(1, 8 * wide + 1); i > 0; --i)
    times.push_back(*rc::gen::inRange(0, 30 * wide));
  std::sort(times.begin(), times.end());
  return times;
}

TEST(SlotTimes, OfManySlotsAreSortedHoweverFarApart) {
  Random random(1, "slot times");
  for (const int bits : {0, 1, 10, 11, 12, 22, 33, 34, 62}) {
    for (const std::int64_t from : {std::int64_t{0}, std::int64_t{1} << 45, -(std::int64_t{1} << 45)}) {
      Times times;
      for (int i = 0; i < 2'000; ++i)
        times.push_back(from + static_cast<std::int64_t>(random.below(std::uint64_t{1} << bits)));
      const SlotTimes slots(times);
      std::sort(times.begin(), times.end());
      EXPECT_EQ(listed(slots), times) << bits;
    }
  }
}

TEST(SlotTimes, TwoSlotsTakeFiveTasks) {
  SlotTimes slots(2);
  EXPECT_EQ(slots.place(5, 10, 3), 33);
  EXPECT_EQ(listed(slots), (Times{23, 33}));
  EXPECT_EQ(slots.place(1, 5, 40), 45);  // the other slot stays available from 33 on
  EXPECT_EQ(listed(slots), (Times{33, 45}));
  slots.replace_first(50);
  EXPECT_EQ(listed(slots), (Times{45, 50}));
}

TEST(SlotTimes, WithoutTasksOrSlots) {
  SlotTimes slots(2, 7);
  EXPECT_EQ(slots.place(0, 10, 3), 3);
  EXPECT_EQ(listed(slots), (Times{7, 7}));
  EXPECT_EQ(SlotTimes(0).place(1, 10, 3), SlotTimes::never);
}

TEST(SlotTimes, ArePlacedByTheLetter) {
  holds_always(
      [] {
        const int wide = *rc::gen::element(1, 1, 1, 10);  // with many steps, some are moved together
        const Times before = some_times(wide);
        SlotTimes fast{Times(before)};
        Times slow = before;
        for (int i = *rc::gen::inRange(1, 6); i > 0; --i) {
          const auto tasks = *rc::gen::element<Count>(0, 1, 2, 3, 7, 40);
          const auto length = *rc::gen::inRange<std::int64_t>(0, 12 * wide),
                     from = *rc::gen::inRange<std::int64_t>(0, 60 * wide);
          const int what = *rc::gen::inRange(0, 8);
          if (what == 0) {
            fast.replace_first(from);
            slow.front() = from;
            std::sort(slow.begin(), slow.end());
          } else if (what == 1) {  // some of them far before all others
            Times ends;
            for (int k = *rc::gen::inRange(0, 12); k > 0; --k)
              ends.push_back(*rc::gen::inRange<std::int64_t>(-30, 60 * wide));
            std::sort(ends.begin(), ends.end());
            fast.replace_first(ends);
            for (const std::int64_t end : ends) {
              slow.front() = end;
              std::sort(slow.begin(), slow.end());
            }
          } else if (what == 3) {  // one part behind another
            std::vector<Times> parts(*rc::gen::inRange<std::size_t>(0, 5));
            for (Times& part : parts) {
              for (int k = *rc::gen::inRange(0, 6); k > 0; --k)
                part.push_back(*rc::gen::inRange<std::int64_t>(-30, 90 * wide));
              std::sort(part.begin(), part.end());
              for (const std::int64_t end : part) {
                slow.front() = end;
                std::sort(slow.begin(), slow.end());
              }
            }
            const std::vector<std::span<const std::int64_t>> spans(parts.begin(), parts.end());
            fast.replace_first_in_turn(spans);
          } else if (what == 4) {  // so many ends each
            std::vector<SlotTimes::Step> ends;
            auto at = *rc::gen::inRange<std::int64_t>(-30, 60 * wide);
            for (int k = *rc::gen::inRange(0, 4); k > 0; --k) {
              ends.push_back({at, *rc::gen::inRange<Count>(1, 12)});
              at += *rc::gen::inRange<std::int64_t>(1, 20);
            }
            fast.replace_first(ends);
            for (const SlotTimes::Step& end : ends) {
              for (Count k = 0; k < end.slots; ++k) {
                slow.front() = end.at;
                std::sort(slow.begin(), slow.end());
              }
            }
          } else if (what == 2) {
            fast.raise_to(from);
            for (std::int64_t& time : slow) time = std::max(time, from);
          } else {
            const std::optional<std::int64_t> seen = fast.end_of(tasks, length, from);
            const std::int64_t end = fast.place(tasks, length, from);
            RC_ASSERT(end == place_by_letter(slow, tasks, length, from));
            RC_ASSERT(!seen || *seen == end);
          }
          RC_ASSERT(listed(fast) == slow);
          RC_ASSERT(fast.slots() == static_cast<Count>(slow.size()));
          for (std::size_t k = 1; k < fast.steps().size(); ++k)
            RC_ASSERT(fast.steps()[k - 1].at < fast.steps()[k].at);
        }
      },
      1'000);
}

TEST(SlotTimes, ManyTasksTakeNoLonger) {
  SlotTimes slots(Times{0, 3, 4});
  EXPECT_EQ(slots.place(3'000'000'001, 5, 0), 5'000'000'005);
  EXPECT_EQ(listed(slots), (Times{5'000'000'003, 5'000'000'004, 5'000'000'005}));
}

TEST(SlotTimes, DominateEntryByEntry) {
  EXPECT_TRUE(SlotTimes(Times{2, 5}).dominates(SlotTimes(Times{2, 4})));
  EXPECT_FALSE(SlotTimes(Times{2, 5}).dominates(SlotTimes(Times{3, 4})));
  EXPECT_FALSE(SlotTimes(Times{2, 5, 5}).dominates(SlotTimes(Times{2, 5, 6})));
  holds_always([] {
    const Times a = some_times();
    Times b = a;
    for (std::int64_t& time : b) time += *rc::gen::inRange(-2, 2);
    std::sort(b.begin(), b.end());
    const bool above = std::equal(a.begin(), a.end(), b.begin(), [](auto x, auto y) { return x >= y; });
    RC_ASSERT(SlotTimes(Times(a)).dominates(SlotTimes(Times(b))) == above);
  });
}

TEST(SlotTimes, MostBehindIsTheLargestDifferenceOfEntries) {
  EXPECT_EQ(SlotTimes(Times{2, 5, 9}).most_behind(SlotTimes(Times{1, 5, 6})), 3);
  EXPECT_EQ(SlotTimes(Times{2, 5}).most_behind(SlotTimes(Times{3, 5})), 0);
  EXPECT_EQ(SlotTimes(0).most_behind(SlotTimes(0)), 0);
  holds_always([] {
    const Times a = some_times();
    Times b = a;
    for (std::int64_t& time : b) time += *rc::gen::inRange(-6, 9);
    std::sort(b.begin(), b.end());
    std::int64_t most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, b[i] - a[i]);
    RC_ASSERT(SlotTimes(Times(b)).most_behind(SlotTimes(Times(a))) == most);
  });
}

// Bounds of ends rest on it (AdmissionController::surely_delays_none).
TEST(SlotTimes, WhereSlotsAreLaterTasksEndLaterByNoMore) {
  int later = 0;
  holds_always(
      [&] {
        const Times times = some_times();
        SlotTimes ahead{Times(times)}, behind = ahead;
        (void)behind.place(*rc::gen::inRange<Count>(0, 9), *rc::gen::inRange<std::int64_t>(0, 20), 0);
        const std::int64_t most = behind.most_behind(ahead);
        later += most > 0 ? 1 : 0;
        for (int i = *rc::gen::inRange(1, 6); i > 0; --i) {
          const auto tasks = *rc::gen::element<Count>(0, 1, 2, 5, 30);
          const auto length = *rc::gen::inRange<std::int64_t>(0, 20),
                     from = *rc::gen::inRange<std::int64_t>(0, 60),
                     wait = *rc::gen::inRange<std::int64_t>(0, most + 1);
          if (*rc::gen::inRange(0, 4) == 0) {
            ahead.raise_to(from);
            behind.raise_to(from + wait);
          } else {
            const std::int64_t end = ahead.place(tasks, length, from);
            RC_ASSERT(behind.place(tasks, length, from + wait) <= end + most);
          }
          RC_ASSERT(behind.most_behind(ahead) <= most);
        }
      },
      1'000);
  EXPECT_GT(later, rare(300));
}

TEST(SlotTimes, AreRoundedUpEachByItself) {
  holds_always([] {
    Times times = some_times();
    const auto unit = *rc::gen::inRange<std::int64_t>(1, 9);
    const SlotTimes rounded = SlotTimes(Times(times)).rounded_up(unit);
    for (std::int64_t& time : times) {
      while (time % unit != 0) ++time;
    }
    RC_ASSERT(listed(rounded) == times);
    RC_ASSERT(rounded.slots() == static_cast<Count>(times.size()));
    for (std::size_t k = 1; k < rounded.steps().size(); ++k)
      RC_ASSERT(rounded.steps()[k - 1].at < rounded.steps()[k].at);
  });
}

}  // namespace
}  // namespace wavewright
