// What is proved by counting, beside what is found by trying everything.
#include "wavewright/plan/bounds/counting_bound.h"

#include <algorithm>
#include <numeric>

#include "tests/property.h"

namespace wavewright {
namespace {

TEST(CountingBound, SomeSlotTakesTwo) {
  const std::vector<CountedTask> tasks = {{5, 0}, {4, 0}, {3, 0}};
  EXPECT_EQ(counting_bound(tasks, 2), 7);
  EXPECT_EQ(counting_bound(tasks, 3), 5);
  EXPECT_EQ(counting_bound(tasks, 1), 12);
}

TEST(CountingBound, WhatStandsBesideCounts) {
  EXPECT_EQ(counting_bound(std::vector<CountedTask>{{5, 10}, {4, 1}}, 2), 15);
  EXPECT_EQ(counting_bound(std::vector<CountedTask>{{5, 2}, {4, 1}}, 1), 10);
  EXPECT_EQ(counting_bound({}, 1), 0);
}

// Every task on each slot, in order of what stands before it.
std::int64_t least(const std::vector<CountedTask>& tasks, std::size_t slots) {
  std::vector<std::size_t> order(tasks.size()), on(tasks.size(), 0);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return tasks[a].beside < tasks[b].beside; });
  std::int64_t best = -1;
  for (;;) {
    std::vector<std::int64_t> free(slots, 0);
    std::int64_t end = 0;
    for (const std::size_t task : order) {
      std::int64_t& slot = free[on[task]];
      slot = std::max(slot, tasks[task].beside) + tasks[task].length;
      end = std::max(end, slot);
    }
    if (best < 0 || end < best) best = end;
    std::size_t at = 0;
    while (at < on.size() && ++on[at] == slots) on[at++] = 0;
    if (at == on.size()) return best;
  }
}

TEST(CountingBound, IsNeverAboveTheBestOfAll) {
  int tight = 0, all = 0;
  holds_always(
      [&] {
        std::vector<CountedTask> tasks(*rc::gen::inRange<std::size_t>(1, 7));
        for (CountedTask& task : tasks) task = {*rc::gen::inRange(1, 12), *rc::gen::inRange(0, 9)};
        const int slots = *rc::gen::inRange(1, 4);
        const std::int64_t bound = counting_bound(tasks, slots),
                           truth = least(tasks, static_cast<std::size_t>(slots));
        RC_ASSERT(bound <= truth);
        tight += bound == truth ? 1 : 0;
        ++all;
      },
      2'000);
  EXPECT_GT(2 * tight, all);
}

}  // namespace
}  // namespace wavewright
