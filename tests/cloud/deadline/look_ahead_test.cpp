// Where jobs end on slots that are free at given instants, by estimates.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "tests/property.h"
#include "wavewright/cloud/deadline/look_ahead.h"

namespace wavewright {
namespace {

TEST(FreeSlots, GiveTasksToThoseThatAreFreeFirst) {
  FreeSlots slots;
  slots.add(at_ms(0), 2);
  slots.add(at_ms(15'000), 1);
  // 0-10, 0-10, 10-20, 10-20, 15-25: the fifth ends last.
  EXPECT_EQ(slots.place(5, ms(10'000), at_ms(0)), at_ms(25'000));
  // Now free at 20, 20 and 25 s.
  EXPECT_EQ(slots.place(1, ms(1'000), at_ms(0)), at_ms(21'000));
  EXPECT_EQ(slots.place(1, ms(1'000), at_ms(30'000)), at_ms(31'000)) << "none starts before its release";
  EXPECT_EQ(slots.count(), 3);
  EXPECT_EQ(FreeSlots().place(1, ms(1), at_ms(0)), Time::max());
  EXPECT_EQ(FreeSlots().place(0, ms(1), at_ms(7)), at_ms(7));
}

TEST(FreeSlots, LendOutThoseThatAreFreeFirst) {
  FreeSlots slots;
  slots.add(at_ms(5'000), 1);
  slots.add(at_ms(0), 2);
  EXPECT_EQ(slots.take_out(2), 2);
  EXPECT_EQ(slots.place(1, ms(1'000), at_ms(0)), at_ms(6'000));
  EXPECT_EQ(slots.take_out(5), 1);
}

// Task by task, as the closed form says it.
Time placed_one_by_one(std::vector<Time>& slots, Count tasks, Duration task, Time release) {
  Time last = release;
  for (; tasks > 0; --tasks) {
    const auto first = std::ranges::min_element(slots);
    *first = std::max(*first, release) + task;
    last = std::max(last, *first);
  }
  return last;
}

TEST(FreeSlots, AreAsIfTasksWerePlacedOneByOne) {
  holds_always(
      [] {
        FreeSlots slots;
        std::vector<Time> each;
        for (int groups = *rc::gen::inRange(1, 12); groups > 0; --groups) {
          const Time from = at_ms(*rc::gen::inRange(0, 60));
          const int count = *rc::gen::inRange(1, 4);
          slots.add(from, count);
          each.insert(each.end(), static_cast<std::size_t>(count), from);
        }
        for (int jobs = *rc::gen::inRange(1, 6); jobs > 0; --jobs) {
          const int tasks = *rc::gen::inRange(1, 60);
          const Duration task = ms(*rc::gen::inRange(1, 25));
          // Jobs' tasks are released in order, as those of the look-ahead are.
          const Time release = at_ms(*rc::gen::inRange(0, 5) * (6 - jobs));
          RC_ASSERT(slots.place(tasks, task, release) == placed_one_by_one(each, tasks, task, release));
        }
      },
      500);
}

JobAhead job(Count maps, Count reduces, Time deadline) {
  return {.maps = {.tasks = maps, .task = ms(10'000)},
          .reduces = {.tasks = reduces, .task = ms(20'000)},
          .deadline = deadline};
}

TEST(LookAhead, PutsReducesBehindTheMapsOfTheirJob) {
  LookAhead ahead;
  ahead.maps.add(at_ms(0), 2);
  ahead.reduces.add(at_ms(0), 1);
  ahead.jobs = {job(4, 2, at_ms(60'000)), job(2, 1, at_ms(70'000))};
  // A's maps end at 20 s, its reduces at 40 and 60 s. B's maps end at 30 s, its reduce at 80 s.
  const Lateness late = ahead.lateness(at_ms(0), at_ms(0), 0, 0);
  EXPECT_EQ(ahead.ends(), (std::vector<Time>{at_ms(60'000), at_ms(80'000)}));
  EXPECT_EQ(late.jobs, 1);
  EXPECT_DOUBLE_EQ(late.seconds, 10);
  // A second reduce slot from 5 s on: both of A's end at 40 s, and B's at 60 s.
  EXPECT_EQ(ahead.lateness(at_ms(0), at_ms(5'000), 0, 1).jobs, 0);
  EXPECT_EQ(ahead.ends(), (std::vector<Time>{at_ms(40'000), at_ms(60'000)}));
}

TEST(LookAhead, LeavesOutSlotsThatAreFreeFirst) {
  LookAhead ahead;
  ahead.maps.add(at_ms(0), 1);
  ahead.maps.add(at_ms(8'000), 2);
  ahead.reduces.add(at_ms(0), 2);
  ahead.jobs = {job(1, 1, at_ms(0))};
  EXPECT_EQ(ahead.lateness(at_ms(0), at_ms(0), -1, -2).stuck, 1) << "no slot for its reduce";
  (void)ahead.lateness(at_ms(0), at_ms(0), -1, -1);
  EXPECT_EQ(ahead.ends(), std::vector<Time>{at_ms(38'000)});
  (void)ahead.lateness(at_ms(0), at_ms(0), 0, 0);
  EXPECT_EQ(ahead.ends(), std::vector<Time>{at_ms(30'000)}) << "its own slots stay as they are";
}

TEST(LookAhead, CountsWhatRunsAndTheLongestTask) {
  LookAhead ahead;
  ahead.maps.add(at_ms(0), 1);
  ahead.reduces.add(at_ms(0), 1);
  ahead.jobs = {job(1, 0, at_ms(0)), job(0, 0, at_ms(0)), job(1, 0, at_ms(0))};
  ahead.jobs[0].maps.tail = ms(3'000);
  ahead.jobs[1].maps.running_until = at_ms(7'000);
  ahead.jobs[2].deadline = std::nullopt;
  EXPECT_EQ(ahead.lateness(at_ms(0), at_ms(0), 0, 0).jobs, 2) << "one has no deadline";
  EXPECT_EQ(ahead.ends(), (std::vector<Time>{at_ms(13'000), at_ms(7'000), at_ms(20'000)}));
}

TEST(LookAhead, SaysWhichJobsHaveNoSlots) {
  LookAhead ahead;
  ahead.maps.add(at_ms(0), 1);
  ahead.jobs = {job(1, 1, at_ms(90'000)), job(1, 0, at_ms(90'000))};
  EXPECT_EQ(ahead.lateness(at_ms(0), at_ms(0), 0, 0).stuck, 1);
  EXPECT_EQ(ahead.lateness(at_ms(0), at_ms(0), 0, 1).stuck, 0);
}

}  // namespace
}  // namespace wavewright
