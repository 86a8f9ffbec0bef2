#include "wavewright/predict/length_update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace wavewright {
namespace {

RunPhases run_of(std::vector<Duration> maps) {
  RunPhases run;
  run.state = RunState::succeeded;
  run.maps = std::ssize(maps);
  run.map = std::move(maps);
  return run;
}

// Runs whose maps are lognormal around a mean that itself varies by `between`.
std::vector<RunPhases> some_runs(std::size_t count, double between, double within, std::uint64_t seed) {
  Random random(seed, "runs");
  std::vector<RunPhases> runs;
  for (std::size_t i = 0; i < count; ++i) {
    const double shift = random.normal(0, between);
    std::vector<Duration> maps;
    for (int k = 0; k < 40; ++k) maps.push_back(ms(std::llround(10'000 * random.lognormal(shift, within))));
    runs.push_back(run_of(std::move(maps)));
  }
  return runs;
}

TEST(LengthModel, TellsHowTasksVaryWithinRunsAndBetweenThem) {
  const LengthModel model = length_model(some_runs(60, 0.3, 0.2, 1));
  EXPECT_NEAR(model.maps.within, 0.2, 0.02);
  EXPECT_NEAR(model.maps.between, 0.3, 0.07);
  EXPECT_NEAR(model.mean_map_ms(), 10'000 * std::exp(0.02 + 0.045), 900);
}

TEST(LengthModel, OneRunLeavesThePrior) {
  const LengthModel model = length_model(some_runs(1, 0.3, 0.2, 1));
  EXPECT_EQ(model.maps.between, StageLengths::prior_deviation);
  EXPECT_EQ(model.runs, 1);
}

// A run of `tasks` on `slots` at `now`, whose lengths are `factor` times those of the profile.
std::vector<SeenLength> seen_of(double factor, double within, Random& random, int tasks, int slots,
                                double now) {
  std::vector<double> free(static_cast<std::size_t>(slots), 0.0);
  std::vector<SeenLength> seen;
  for (int i = 0; i < tasks; ++i) {
    const auto slot = std::min_element(free.begin(), free.end());
    if (*slot >= now) break;
    const double length = factor * std::exp(random.normal(-within * within / 2, within));
    const bool done = *slot + length <= now;
    seen.push_back({std::log(done ? length : std::max(1e-3, now - *slot)), done});
    *slot += length;
  }
  return seen;
}

TEST(LengthUpdate, TasksThatStillRunKeepTheShortOnesFromMisleading) {
  // In the middle of the first wave the short tasks are done: alone they would make the run look fast.
  double with = 0, without = 0;
  constexpr int runs = 300;
  StageLengths expected;
  expected.within = 0.5;
  expected.between = 1;
  Random random(7, "waves");
  int counted = 0;
  for (int i = 0; i < runs; ++i) {
    const std::vector<SeenLength> seen = seen_of(1, 0.5, random, 40, 40, 0.8);
    std::vector<SeenLength> done;
    for (const SeenLength& each : seen) {
      if (each.done) done.push_back(each);
    }
    if (done.empty()) continue;
    ++counted;
    with += update_lengths(seen, expected).measured;
    without += update_lengths(done, expected).measured;
  }
  EXPECT_NEAR(with / counted, 0, 0.05);
  EXPECT_LT(without / counted, -0.3);
}

TEST(LengthUpdate, MoreTasksWeighMoreThanTheProfile) {
  StageLengths expected;
  expected.within = 0.2;
  expected.between = 0.1;
  const std::vector<SeenLength> few(1, {std::log(2.0), true}), many(100, {std::log(2.0), true});
  const LengthUpdate little = update_lengths(few, expected), much = update_lengths(many, expected);
  EXPECT_LT(little.shift, 0.3);
  EXPECT_NEAR(much.shift, std::log(2.0), 0.06);
  EXPECT_LT(much.deviation, little.deviation);
  EXPECT_EQ(update_lengths({}, expected).deviation, expected.between);
}

TEST(Drift, FewRunsOfAnUnchangedJobDrift) {
  // As many looks at as many runs as a busy cluster has in a month.
  const LengthModel model = length_model(some_runs(12, 0.1, 0.2, 3));
  Random random(11, "runs to come");
  int drifted = 0;
  constexpr int runs = 2'000;
  for (int i = 0; i < runs; ++i) {
    const double shift = random.normal(0, 0.1);
    drifted +=
        drift_of(update_lengths(seen_of(std::exp(shift), 0.2, random, 20, 10, 1.5), model.maps), model.maps)
            .has_value();
  }
  EXPECT_LT(drifted, 20);
}

TEST(Drift, ARunOfTwiceTheLengthsDriftsWithinItsFirstWave) {
  const LengthModel model = length_model(some_runs(12, 0.1, 0.2, 3));
  Random random(5, "slow runs");
  int drifted = 0;
  for (int i = 0; i < 100; ++i) {
    const auto found = drift_of(update_lengths(seen_of(2, 0.2, random, 40, 10, 2.1), model.maps), model.maps);
    if (!found) continue;
    ++drifted;
    EXPECT_NEAR(*found, 2, 0.5);
  }
  EXPECT_GT(drifted, 90);
}

TEST(Drift, NeedsThreeTasksAndAFifth) {
  StageLengths expected;
  expected.within = 0.02;
  expected.between = 0.02;
  expected.freedom = 30;
  EXPECT_FALSE(drift_of(update_lengths(std::vector<SeenLength>(2, {1.0, true}), expected), expected));
  EXPECT_TRUE(drift_of(update_lengths(std::vector<SeenLength>(3, {1.0, true}), expected), expected));
  EXPECT_FALSE(drift_of(update_lengths(std::vector<SeenLength>(50, {0.15, true}), expected), expected));
}

}  // namespace
}  // namespace wavewright
