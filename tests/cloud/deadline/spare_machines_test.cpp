// How many machines should be there for jobs that cannot wait for a boot.
#include <gtest/gtest.h>

#include "wavewright/cloud/deadline/spare_machines.h"

namespace wavewright {
namespace {

constexpr Duration hour = ms(3'600'000);

// Machines of two map slots and one reduce slot that boot for a minute.
SpareMachines machines(Duration memory = 1000 * hour) {
  return {{.map_slots = 2, .reduce_slots = 1}, ms(60'000), memory, 100};
}

TEST(SpareMachines, AreNoneWhileNobodyCame) {
  EXPECT_EQ(machines().best(at_ms(0), 1), 0);
}

TEST(SpareMachines, AreAsManyAsLatenessAndTheyTogetherCostLeast) {
  // Eight maps of 10 s within 10 s. With 0, 1, 2, 3, 4 machines they end after 70 (a boot), 40, 20, 20, 10 s.
  // For 36 USD an hour of lateness that costs 0.6, 0.3, 0.1, 0.1, 0 USD; the job comes once an hour.
  const HurriedJob job{.maps = 8, .map = ms(10'000), .left = ms(10'000)};
  SpareMachines spare = machines();
  for (int hours = 0; hours < 100; ++hours) spare.arrived(Time{} + hours * hour, job, {.hour = 36});
  const Time end = Time{} + 100 * hour;
  EXPECT_EQ(spare.best(end, 0.04), 4) << "0.16; two: 0.08 + 0.1";
  EXPECT_EQ(spare.best(end, 0.06), 2) << "0.12 + 0.1; four: 0.24; one: 0.06 + 0.3";
  EXPECT_EQ(spare.best(end, 0.25), 1) << "0.25 + 0.3; two: 0.5 + 0.1; none: 0.6";
  EXPECT_EQ(spare.best(end, 0.35), 0);
}

TEST(SpareMachines, CountReducesBehindMaps) {
  // Maps end after 10 s with a machine. Two reduces of 30 s: one machine ends them after 70 s, two after 40
  // s.
  const HurriedJob job{.maps = 2, .reduces = 2, .map = ms(10'000), .reduce = ms(30'000), .left = ms(40'000)};
  SpareMachines spare = machines();
  spare.arrived(at_ms(0), job, {.hour = 0, .job = 1});
  EXPECT_EQ(spare.best(Time{} + hour, 0.4), 2) << "with one it is late, too";
}

TEST(SpareMachines, ForgetWhatHappened) {
  const HurriedJob job{.maps = 2, .map = ms(10'000), .left = ms(10'000)};
  SpareMachines spare = machines(hour);
  spare.arrived(at_ms(0), job, {.hour = 0, .job = 1});
  EXPECT_EQ(spare.best(Time{} + hour, 0.1), 1);
  EXPECT_EQ(spare.best(Time{} + 3 * hour, 0.1), 0) << "e^-3 of a USD an hour";
}

}  // namespace
}  // namespace wavewright
