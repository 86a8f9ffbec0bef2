#include "wavewright/predict/calibration.h"

#include <cmath>

#include <fmt/format.h>

namespace wavewright {
namespace {

// `maps` maps of 10 s on four slots, and a time from submission to finish that is `factor` of what they take.
RunPhases run_of(int number, Count maps, double factor) {
  RunPhases run;
  run.id = fmt::format("job_1_{:04}", number);
  run.state = RunState::succeeded;
  run.maps = maps;
  run.slots = {4, 0};
  run.map.assign(static_cast<std::size_t>(maps), ms(10'000));
  run.submit = at_ms(0);
  run.finish = at_ms(std::llround(factor * 10'000 * static_cast<double>((maps + 3) / 4)));
  return run;
}

TEST(Calibration, RunsThatArePredictedExactlyNarrowIt) {
  std::vector<RunPhases> runs;
  for (int i = 0; i < 10; ++i) runs.push_back(run_of(i, 8, 1));
  const Calibration narrow = calibrate(runs, {});
  EXPECT_EQ(narrow.runs, 10);
  EXPECT_LT(narrow.deviation, 0.02);
  EXPECT_GT(narrow.deviation, 0) << "ten equal runs do not promise the eleventh";
  EXPECT_DOUBLE_EQ(calibrate(std::span(runs).first(1), {}).deviation, Calibration::prior_deviation);
}

TEST(Calibration, RunsThatStrayWidenItByAsMuch) {
  std::vector<RunPhases> runs;
  for (int i = 0; i < 12; ++i) runs.push_back(run_of(i, 8, i % 2 == 0 ? 0.8 : 1.25));
  EXPECT_NEAR(calibrate(runs, {}).deviation, std::log(1.25), 0.03);
}

// Twelve runs, each foretold from the other eleven, off by log 1.25: their squares count 11/12 of one run's
// variation. Eleven degrees of freedom are mixed with the prior's.
TEST(Calibration, IsTheVariationOfOneRunMixedWithThePrior) {
  std::vector<RunPhases> runs;
  for (int i = 0; i < 12; ++i) runs.push_back(run_of(i, 8, i % 2 == 0 ? 0.8 : 1.25));
  const double between = 11.0 / 12 * std::log(1.25) * std::log(1.25);
  const double prior =
      Calibration::prior_freedom * Calibration::prior_deviation * Calibration::prior_deviation;
  const Calibration calibration = calibrate(runs, {});
  EXPECT_DOUBLE_EQ(calibration.freedom, 11 + Calibration::prior_freedom);
  EXPECT_NEAR(calibration.deviation, std::sqrt((11 * between + prior) / calibration.freedom), 1e-9);
}

// Maps of twice the bytes take half as long again. The line through both sizes says so; from one size alone
// nobody would guess.
TEST(Calibration, AnUnknownSizeIsJudgedByHowOtherSizesWere) {
  constexpr std::int64_t block = 64 << 20;
  std::vector<RunPhases> runs;
  for (int i = 0; i < 10; ++i) {
    const bool large = i >= 5;
    RunPhases& run = runs.emplace_back(run_of(i, 8, large ? 1.5 : 1));
    run.map.assign(8, ms(large ? 15'000 : 10'000));
    run.map_input = Bytes{8 * block * (large ? 2 : 1)};
  }
  EXPECT_LT(calibrate(runs, {.input = Bytes{8 * block}}).deviation, 0.05);
  EXPECT_GT(calibrate(runs, {.input = Bytes{64 * block}}).deviation, 0.3);
}

TEST(Calibration, WidensTheSimulatedTotalsOnBothSides) {
  SimulatedRuns simulated;
  simulated.totals_ms.assign(300, 1'000);
  Calibration wide;
  wide.runs = 20;
  wide.deviation = 0.1;
  wide.freedom = 20;
  const Percentiles percentiles = with_interval(simulated, wide, 1);
  const double margin = std::exp(1.725 * 0.1 * std::sqrt(1.05));  // t of 20 degrees of freedom, 95 %
  EXPECT_DOUBLE_EQ(percentiles.p50_ms, 1'000);
  EXPECT_NEAR(percentiles.p95_ms, 1'000 * margin, 5);
  EXPECT_NEAR(percentiles.p5_ms, 1'000 / margin, 5);
}

}  // namespace
}  // namespace wavewright
