// Which slots are busy, as the events say it.
#include <gtest/gtest.h>

#include "tests/sched/fake_cluster.h"
#include "wavewright/cloud/deadline/busy_slots.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

TEST(BusySlotsByEvent, KnowWhenTheLastOneOfAJobWillBeFree) {
  FakeCluster cluster({.nodes = {{.map_slots = 2, .reduce_slots = 1}},
                       .jobs = {{.id = "A", .maps = 3, .reduces = 1, .map = ms(10'000)}}},
                      make_policy("fifo"));
  cluster.arrive("A");
  using enum Event::What;
  BusySlots busy;
  const auto hear = [&](Event::What what, std::int64_t at_s, TaskIndex task, SlotIndex slot,
                        Kind kind = Kind::map, std::uint32_t attempt = 0) {
    busy.hear({.what = what,
               .kind = kind,
               .at = at_ms(at_s * 1000),
               .task = task,
               .attempt = attempt,
               .slot = slot},
              cluster);
  };
  hear(started, 0, 0, 0);
  hear(started, 4, 1, 1);
  hear(started, 4, 0, 0, Kind::reduce);
  EXPECT_EQ(busy.until(Kind::map).count(), 2);
  EXPECT_EQ(busy.last(0, Kind::map), at_ms(14'000));
  EXPECT_EQ(busy.last(0, Kind::reduce), at_ms(5'000));
  hear(lost, 6, 1, 1);
  hear(lost, 6, 1, 1);  // its output; the slot is free already
  EXPECT_EQ(busy.last(0, Kind::map), at_ms(10'000));
  hear(ended, 7, 0, 0, Kind::map, 1);
  EXPECT_EQ(busy.until(Kind::map).count(), 1) << "that was another attempt";
  hear(started, 8, 2, 0);  // two tasks share the slot
  EXPECT_EQ(busy.until(Kind::map).count(), 1);
  EXPECT_EQ(busy.last(0, Kind::map), at_ms(18'000));
  hear(ended, 9, 2, 0);
  EXPECT_TRUE(busy.until(Kind::map).empty());
  EXPECT_EQ(busy.last(0, Kind::map), std::nullopt);
}

}  // namespace
}  // namespace wavewright
