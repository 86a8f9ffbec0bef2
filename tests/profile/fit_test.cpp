#include "wavewright/profile/fit.h"

#include <cmath>

#include <fmt/format.h>

#include "wavewright/core/random.h"

namespace wavewright {
namespace {

// Worked by hand: x 1…5, y = 2.1, 3.9, 6.2, 7.8, 10.1.
TEST(Fit, GivesTheTextbookLine) {
  const std::vector<FitPoint> points = {{1, 2.1, 0}, {2, 3.9, 1}, {3, 6.2, 2}, {4, 7.8, 3}, {5, 10.1, 4}};
  const LinearFit line = fit(points).value();
  EXPECT_NEAR(line.slope, 1.99, 1e-12);
  EXPECT_NEAR(line.intercept, 0.05, 1e-12);
  EXPECT_NEAR(line.deviation, std::sqrt(0.107 / 3), 1e-9);
  EXPECT_NEAR(line.r2, 1 - 0.107 / 39.708, 1e-9);
  const double t = 3.182446;  // three degrees of freedom, two-sided 95 %
  EXPECT_NEAR(line.slope_high - line.slope, t * std::sqrt(0.107 / 3 / 10), 1e-5);
  EXPECT_NEAR(line.intercept_high - line.intercept, t * std::sqrt(0.107 / 3 * (0.2 + 0.9)), 1e-5);
  EXPECT_NEAR(line.prediction_margin(3), t * std::sqrt(0.107 / 3 * 1.2), 1e-5);
  EXPECT_GT(line.prediction_margin(50), 5 * line.prediction_margin(3)) << "far away little is known";
}

TEST(Fit, APointFarFromTheOthersPullsTheLine) {
  // Leverage 1/n + (x − mean)²/Σ: at most 0.6 in 1…5, 0.9999 for the 100; four in n is 0.8.
  EXPECT_TRUE(fit(std::vector<FitPoint>{{1, 2, 0}, {2, 4, 1}, {3, 7, 2}, {4, 8, 3}, {5, 10, 4}})
                  ->high_leverage.empty());
  EXPECT_EQ(
      fit(std::vector<FitPoint>{{1, 2, 0}, {2, 4, 1}, {3, 7, 2}, {4, 8, 3}, {100, 10, 4}})->high_leverage,
      std::vector<std::size_t>{4});
}

TEST(Fit, ItsIntervalsHoldAsOftenAsTheySay) {
  int slope = 0;
  int next = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed, "fit");
    std::vector<FitPoint> points;
    for (std::size_t i = 0; i < 8; ++i) {
      const double x = random.uniform(1, 10);
      points.push_back({x, 5 + 3 * x + random.normal(0, 2), i});
    }
    const LinearFit line = fit(points).value();
    slope += line.slope_low <= 3 && 3 <= line.slope_high ? 1 : 0;
    const double y = 5 + 3 * 7.0 + random.normal(0, 2);
    next += std::abs(y - line.at(7)) <= line.prediction_margin(7) ? 1 : 0;
  }
  EXPECT_NEAR(slope, 380, 15);
  EXPECT_NEAR(next, 380, 15);
}

TEST(Fit, RefusesWhatALineCannotBeDrawnThrough) {
  EXPECT_FALSE(fit(std::vector<FitPoint>{{1, 1, 0}, {2, 2, 1}}));
  EXPECT_FALSE(fit(std::vector<FitPoint>{{10, 1, 0}, {10.2, 2, 1}, {10.3, 7, 2}})) << "one size";
}

RunPhases run_of(std::int64_t megabytes, std::int64_t map_ms, std::int64_t reduce_ms) {
  RunPhases run;
  run.state = RunState::succeeded;
  run.map_input = Bytes{megabytes << 20};
  run.maps = megabytes / 64;
  run.reduces = 2;
  run.map.assign(static_cast<std::size_t>(run.maps), ms(map_ms));
  run.first_shuffle = {ms(reduce_ms / 2), ms(reduce_ms / 2)};
  run.reduce = {ms(reduce_ms), ms(reduce_ms)};
  return run;
}

TEST(Fit, PhasesAgainstData) {
  std::vector<RunPhases> runs;
  for (const std::int64_t size : {256, 512, 1'024, 2'048, 8'192})
    runs.push_back(run_of(size, 20'000 + size % 7, size * 10));
  const std::vector<PhaseFit> fits = fit_phases(runs);
  ASSERT_EQ(fits.size(), 4U);
  EXPECT_NEAR(fits[0].line->slope * 64 * (1 << 20), 1, 1e-9) << "a map for each 64 MiB";
  EXPECT_NEAR(fits[3].line->at(512.0 * (1 << 20)), 5'120, 1);
  EXPECT_NEAR(fits[2].line->at(512.0 * (1 << 20)), 2'560, 1);
  const std::string flags = fmt::format("{}", fmt::join(fits[1].flags, "; "));
  EXPECT_NE(flags.find("may not depend on the size"), std::string::npos) << flags;
  EXPECT_NE(flags.find("1 of 5 runs pull the line"), std::string::npos) << flags;
  runs[0].reduces = 8;
  EXPECT_EQ(fit_phases(runs)[3].x_name, "input_bytes_per_reduce");
  EXPECT_EQ(fit_phases(std::vector<RunPhases>(3, run_of(256, 1, 1)))[1].flags.at(0), "one size only");
}

}  // namespace
}  // namespace wavewright
