// The reduces that an application master asks for and stops, worked out by hand.
#include "wavewright/sim/model/ramp_up.h"

#include <gtest/gtest.h>

namespace wavewright::sim {
namespace {

// 10 maps of 1 GiB, 4 of them done; 4 reduces of 2 GiB; the job holds 4 maps and may get 4 GiB more.
RampUp half_way() {
  return {.maps = 10,
          .maps_done = 4,
          .maps_asked = 2,
          .maps_delayed = 2,
          .maps_held = 4,
          .reduces_wanted = 4,
          .map_memory = 1024,
          .reduce_memory = 2048,
          .headroom = 4096,
          .limit = 0.5};
}

TEST(RampUp, AsksForAllOnceNoMapWaits) {
  RampUp job = half_way();
  job.maps_asked = 0;
  job.headroom = 0;
  EXPECT_EQ(reduces_to_ask(job), 4);
}

TEST(RampUp, AsksForThePartOfTheMapsThatIsDone) {
  // Of 8192 MiB 0.4 are for reduces, 3276; of the other 4916 the maps want 6144: nothing is left.
  EXPECT_EQ(reduces_to_ask(half_way()), 1);
  RampUp job = half_way();
  job.maps_done = 3;  // 2457 MiB: one
  EXPECT_EQ(reduces_to_ask(job), 1);
  job.maps_done = 2;
  job.maps_asked = 3;  // 1638 MiB, and the maps want all of the rest: none
  EXPECT_EQ(reduces_to_ask(job), 0);
}

TEST(RampUp, NeverAsksForMoreThanTheLimitWhileMapsWantTheRest) {
  RampUp job = half_way();
  job.maps_done = 9;
  job.maps_asked = 20;
  EXPECT_EQ(reduces_to_ask(job), 2) << "half of 8192 MiB";
  job.limit = 0.25;
  EXPECT_EQ(reduces_to_ask(job), 1);
}

TEST(RampUp, GivesReducesWhatTheMapsLeave) {
  RampUp job = half_way();
  job.headroom = 12288;  // 16384 MiB in all: 6553 for reduces, and 9831 − 6144 that maps do not want
  EXPECT_EQ(reduces_to_ask(job), 4) << "10240 MiB would hold five";
}

TEST(RampUp, ReckonsWithCoresToo) {
  RampUp job = half_way();
  job.headroom = 12288;  // memory for four
  job.cores = RampUp::Cores{1, 1, 3};
  // Of 7 cores 2 are for reduces, of the other 5 the maps want 6: nothing is left, of memory neither.
  EXPECT_EQ(reduces_to_ask(job), 2);
  job.cores->headroom = 100;
  EXPECT_EQ(reduces_to_ask(job), 4);
}

// No map runs; `maps` wait and have no room beside three reduces.
RampUp starving(Count maps) {
  RampUp job = half_way();
  job.maps_held = 0;
  job.maps_asked = job.maps_delayed = maps;
  job.reduces_held = 3;
  job.headroom = 1000;
  return job;
}

TEST(RampUp, StopsAsManyReducesAsHalfOfItsCores) {
  RampUp job = starving(5);
  job.reduces_held = 2;
  job.reduce_memory = 1024;
  job.headroom = 0;
  EXPECT_EQ(reduces_to_stop(job), 1) << "half of its 2048 MiB";
  job.cores = RampUp::Cores{1, 1, 2};
  EXPECT_EQ(reduces_to_stop(job), 2) << "half of 4 cores";
  job.headroom = 1024;
  EXPECT_EQ(reduces_to_stop(job), std::nullopt) << "room for a map";
  job.cores->headroom = 0;
  EXPECT_EQ(reduces_to_stop(job), 2) << "but no core";
}

TEST(RampUp, TakesBackWhatItAskedForWhenItsPartShrinks) {
  RampUp job = half_way();
  job.reduces_asked = 3;
  EXPECT_EQ(reduces_to_ask(job), 2) << "3276 − 6144 MiB is more than one reduce and less than two";
}

TEST(RampUp, StopsReducesOnlyWhereNoMapRunsAndNoneFits) {
  RampUp job = starving(2);
  job.headroom = 1024;
  EXPECT_EQ(reduces_to_stop(job), std::nullopt) << "there is room for a map";
  job.headroom = 1000;
  // One map needs 1 reduce to go; half of the memory, 3572 MiB, is 2; both waiting maps are 1.
  EXPECT_EQ(reduces_to_stop(job), 1);
  job.maps_asked = job.maps_delayed = 9;
  EXPECT_EQ(reduces_to_stop(job), 2);
  job.reduces_held = 1;
  EXPECT_EQ(reduces_to_stop(job), 1) << "it has no more";
  job.reduces_held = 0;
  EXPECT_EQ(reduces_to_stop(job), 0) << "no reduce to stop, but none must be asked for either";
  job.maps_held = 1;
  EXPECT_EQ(reduces_to_stop(job), std::nullopt) << "a map runs";
}

TEST(RampUp, TheRoomForAMapIsWhatTheReducesAskedForLeave) {
  RampUp job = starving(2);
  job.headroom = 4 * 1024;
  job.reduces_asked = 1;
  EXPECT_EQ(reduces_to_stop(job), std::nullopt) << "2 GiB are left";
  job.reduces_asked = 2;
  EXPECT_EQ(reduces_to_stop(job), 1);
}

TEST(RampUp, StopsReducesWhateverRoomThereSeemsToBeForMapsThatWaitTooLong) {
  RampUp job = starving(9);
  job.headroom = 64 * 1024;
  EXPECT_EQ(reduces_to_stop(job), std::nullopt);
  job.maps_overdue = 1;
  EXPECT_EQ(reduces_to_stop(job), 1) << "one of 2 GiB holds that map";
  job.maps_overdue = 5;
  EXPECT_EQ(reduces_to_stop(job), 3) << "five maps need three";
}

TEST(RampUp, WaitsForTheDelayBeforeItStopsReducesForMapsWithoutRoom) {
  RampUp job = starving(9);
  job.maps_delayed = 0;
  EXPECT_EQ(reduces_to_stop(job), std::nullopt);
  job.maps_delayed = 1;
  EXPECT_EQ(reduces_to_stop(job), 1);
}

TEST(StoppedInVain, CountsRoundsInWhichNothingEnds) {
  StoppedInVain rounds;
  for (Count i = 0; i < StoppedInVain::most_rounds; ++i) EXPECT_FALSE(rounds.again(7));
  EXPECT_FALSE(rounds.again(8)) << "something has ended";
  for (Count i = 1; i < StoppedInVain::most_rounds; ++i) EXPECT_FALSE(rounds.again(8));
  EXPECT_TRUE(rounds.again(8));
}

}  // namespace
}  // namespace wavewright::sim
