#include "wavewright/predict/percentiles.h"

#include <cmath>

#include "wavewright/predict/predict.h"

namespace wavewright {
namespace {

TEST(SimulatedRuns, TheirDeviationIsThatOfASample) {
  SimulatedRuns runs;
  runs.totals_ms = {1,
                    std::exp(2)};  // logarithms 0 and 2: squares of 2 about their mean, one degree of freedom
  EXPECT_NEAR(runs.log_deviation(), std::sqrt(2), 1e-12);
}

// 100 million maps on 1,000 slots, of 0 or 100 s: the sum of so many varies by √n · 50 s, and that over all
// slots is 500 s.
TEST(SimulatedRuns, AHugeJobVariesAsTheSumOfItsTasks) {
  RunModel model;
  model.pooled.map = {ms(0), ms(100'000)};
  const SimulatedRuns runs = simulate_runs(model, {100'000'000, 0, {1'000, 0}}, 1, 100);
  ASSERT_EQ(runs.totals_ms.size(), 100U);
  double mean = 0;
  double squares = 0;
  for (const double total : runs.totals_ms) mean += total / 100;
  for (const double total : runs.totals_ms) squares += (total - mean) * (total - mean);
  EXPECT_NEAR(mean, 5e9, 2e6);
  EXPECT_NEAR(std::sqrt(squares / 99), 500'000, 150'000) << "four deviations";
}

TEST(SimulatedRuns, SlotsBeginAsThoseOfTheRunsDid) {
  RunModel model;
  model.pooled.map = {ms(100)};
  model.pooled.map_ramp = {ms(0), ms(10), ms(20), ms(30)};
  // Two slots take the first and the middle of the four.
  EXPECT_DOUBLE_EQ(simulate_runs(model, {2, 0, {2, 0}}, 1, 1).quantile(0.5), 120);
}

TEST(SimulatedRuns, AFirstWaveThatNoRunShowedIsLikeTheLaterOnes) {
  RunPhases run;
  run.state = RunState::succeeded;
  run.maps = 8;
  run.reduces = 2;
  run.slots = {8, 2};
  run.map.assign(8, ms(100'000));
  run.shuffle.assign(2, ms(12'000));
  run.reduce.assign(2, ms(4'000));
  // With slow-start the reduces begin at the first map's end: all maps, a shuffle, a reduce.
  EXPECT_DOUBLE_EQ(predict("x", std::vector{run}, {8, 2}).percentiles.p50_ms, 100'000 + 12'000 + 4'000);
}

}  // namespace
}  // namespace wavewright
