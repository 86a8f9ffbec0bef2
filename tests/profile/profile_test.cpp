#include "wavewright/profile/profile.h"
#include "tests/property.h"

#include <rapidcheck.h>

#include "tests/profile/history.h"

namespace wavewright {
namespace {

TEST(Profile, PoolsSuccessfulRunsAndOnlyCountsTheOthers) {
  std::vector<JobRun> runs(3, small_run());
  runs[1].tasks[0] = map_task(10, 60);  // 50 ms
  runs[2].state = RunState::failed;
  runs[2].tasks[0] = map_task(0, 9'999);
  std::vector<RunPhases> phases;
  for (const JobRun& run : runs) phases.push_back(phases_of(run));
  const JobProfile profile = build_profile("small", phases);
  EXPECT_EQ(profile.runs, 2);
  EXPECT_EQ(profile.failed_runs, 1);
  EXPECT_EQ(profile.map.count, 4);
  EXPECT_EQ(profile.map.min, ms(50));
  EXPECT_EQ(profile.map.max, ms(100));
  EXPECT_DOUBLE_EQ(profile.map.mean_ms, 85);
  EXPECT_EQ(profile.map.quantile(0.5), ms(95));
  EXPECT_EQ(profile.map_attempts.succeeded, 6);
  EXPECT_DOUBLE_EQ(profile.maps_per_run, 2);
  EXPECT_DOUBLE_EQ(profile.overhead_ms, 40);
  EXPECT_EQ(profile.newest, at_ms(0)) << "when it was submitted";
}

TEST(Profile, ItsNewestRunIsTheLatestInAnyOrder) {
  std::vector<RunPhases> runs(3);
  runs[0].submit = at_ms(200);
  runs[1].submit = at_ms(700);
  runs[2].finish = at_ms(400);  // when it was submitted is not told
  EXPECT_EQ(build_profile("x", runs).newest, at_ms(700));
}

TEST(Profile, ARunThatQueuedBehindOthersDoesNotRaiseTheOverhead) {
  std::vector<RunPhases> runs(3);
  for (RunPhases& run : runs) run.state = RunState::succeeded;
  runs[0].overhead = ms(8'000);
  runs[1].overhead = ms(90'000);
  runs[2].overhead = ms(9'000);
  EXPECT_DOUBLE_EQ(build_profile("x", runs).overhead_ms, 9'000);
}

TEST(Profile, KnowsTheTaskLengthThatEveryRunReached) {
  std::vector<RunPhases> runs(2);
  runs[0].state = runs[1].state = RunState::succeeded;
  runs[0].map = {ms(10), ms(70)};
  runs[1].map = {ms(30), ms(20)};
  EXPECT_EQ(build_profile("x", runs).map.smallest_max, ms(30));
  EXPECT_EQ(build_profile("x", runs).map.max, ms(70));
}

TEST(Profile, SelectivitiesAreRatiosOfSums) {
  RunPhases run;
  run.state = RunState::succeeded;
  run.maps = 2;
  run.map_input = Bytes{200};
  run.map_output = Bytes{100};
  run.reduce_input = Bytes{100};
  run.reduce_output = Bytes{25};
  const JobProfile profile = build_profile("x", std::vector{run});
  EXPECT_DOUBLE_EQ(profile.input_per_map.value(), 100);
  EXPECT_DOUBLE_EQ(profile.map_selectivity.value(), 0.5);
  EXPECT_DOUBLE_EQ(profile.reduce_selectivity.value(), 0.25);
  RunPhases failed = run;
  failed.state = RunState::failed;
  failed.map_output = Bytes{900};
  EXPECT_DOUBLE_EQ(build_profile("x", std::vector{run, failed}).map_selectivity.value(), 0.5)
      << "one that failed stopped somewhere";
  run.map_input = Bytes{0};
  EXPECT_FALSE(build_profile("x", std::vector{run}).map_selectivity) << "of no input there is no ratio";
}

TEST(Profile, SamplesLargePhasesAndKeepsTheirTrueFigures) {
  std::vector<Duration> durations;
  for (int i = 1; i <= 50'000; ++i) durations.push_back(ms(i));
  const PhaseProfile phase = profile_of(durations, 7);
  EXPECT_EQ(phase.count, 50'000);
  EXPECT_EQ(phase.sample.size(), PhaseProfile::sample_limit);
  EXPECT_EQ(phase.min, ms(1));
  EXPECT_EQ(phase.max, ms(50'000));
  EXPECT_DOUBLE_EQ(phase.mean_ms, 25'000.5);
  EXPECT_NEAR(static_cast<double>(phase.quantile(0.5).count()), 25'000, 1'000);
  EXPECT_EQ(profile_of(durations, 7).sample, phase.sample);
}

TEST(Profile, QuantilesAscendFromTheLeastToTheGreatest) {
  holds_always([] {
    std::vector<Duration> durations;
    for (const int value :
         *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 1'000)))) {
      durations.push_back(ms(value));
    }
    const PhaseProfile phase = profile_of(durations);
    RC_ASSERT(phase.quantile(0) == phase.min);
    RC_ASSERT(phase.quantile(1) == phase.max);
    Duration before = phase.min;
    for (int i = 1; i <= 20; ++i) {
      RC_ASSERT(before <= phase.quantile(i / 20.0));
      before = phase.quantile(i / 20.0);
    }
  });
}

TEST(Stability, IsTheSpreadOfTheRunsOwnMeans) {
  std::vector<RunPhases> runs(2);
  for (RunPhases& run : runs) run.state = RunState::succeeded;
  runs[0].map = {ms(10), ms(30)};
  runs[1].map = {ms(40)};
  runs[0].maps = 7;
  runs[0].slots.map_slots = 3;
  const Stability stability = stability_of(runs);
  EXPECT_DOUBLE_EQ(stability.map_ms.mean, 30);
  EXPECT_NEAR(stability.map_ms.deviation, 14.142, 1e-3);
  EXPECT_NEAR(stability.map_ms.relative(), 0.4714, 1e-4);
  EXPECT_DOUBLE_EQ(stability.map_waves.mean, 3) << "7 maps on 3 slots";
  EXPECT_EQ(stability.reduce_ms.runs, 0);
}

}  // namespace
}  // namespace wavewright
