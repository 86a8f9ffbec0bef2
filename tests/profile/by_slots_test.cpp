#include "wavewright/profile/by_slots.h"

namespace wavewright {
namespace {

RunPhases run_of(Count maps) {
  RunPhases run;
  run.state = RunState::succeeded;
  run.maps = maps;
  run.slots = {4, 2};
  return run;
}

TEST(BySlots, ShufflesOfBothWavesAreShuffles) {
  RunPhases run = run_of(8);
  run.first_shuffle = {ms(10), ms(20)};
  run.shuffle = {ms(60)};
  const SlotsRow row = by_slots(std::vector{run}).at(0);
  EXPECT_EQ(row.shuffle.tasks, 3);
  EXPECT_DOUBLE_EQ(row.shuffle.min_ms, 10);
  EXPECT_DOUBLE_EQ(row.shuffle.avg_ms, 30);
  EXPECT_DOUBLE_EQ(row.shuffle.max_ms, 60);
}

TEST(BySlots, ARowTellsItsSmallestAndItsLargestRun) {
  const std::vector<SlotsRow> rows = by_slots(std::vector{run_of(8), run_of(7), run_of(9)});
  ASSERT_EQ(rows.size(), 1U) << "within a factor of two";
  EXPECT_EQ(rows[0].least_maps, 7);
  EXPECT_EQ(rows[0].most_maps, 9);
}

}  // namespace
}  // namespace wavewright
