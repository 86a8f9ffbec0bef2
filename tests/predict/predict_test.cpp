#include "wavewright/predict/predict.h"
#include "tests/property.h"

#include <rapidcheck.h>

#include "wavewright/core/error.h"
#include "wavewright/predict/evaluate.h"

namespace wavewright {
namespace {

constexpr std::int64_t mib = 1 << 20;

// A run of `maps` maps of 100 s over 64 MiB each, and four reduces on four slots.
RunPhases run_of(Count maps, std::int64_t shuffle_ms, std::int64_t reduce_ms) {
  RunPhases run;
  run.id = "job_1_" + std::to_string(maps);
  run.state = RunState::succeeded;
  run.submit = at_ms(0);
  run.maps = maps;
  run.reduces = 4;
  run.slots = {maps, 4};
  run.map.assign(static_cast<std::size_t>(maps), ms(100'000));
  run.first_shuffle.assign(4, ms(shuffle_ms));
  run.reduce.assign(4, ms(reduce_ms));
  run.overhead = ms(1'000);
  run.finish = at_ms(101'000 + shuffle_ms + reduce_ms);
  run.map_input = Bytes{maps * 64 * mib};
  return run;
}

TEST(Scaling, IsProportionalWhereOneSizeIsKnown) {
  const ScaledRuns scaled =
      scale_runs(std::vector{run_of(8, 10'000, 4'000)}, {.input = Bytes{16 * 64 * mib}});
  EXPECT_EQ(scaled.method, ScalingMethod::proportional);
  EXPECT_EQ(scaled.maps, 16);
  EXPECT_EQ(scaled.runs[0].map[0], ms(100'000)) << "a map still reads one block";
  EXPECT_EQ(scaled.runs[0].first_shuffle[0], ms(20'000));
  EXPECT_EQ(scaled.runs[0].reduce[0], ms(8'000));
}

TEST(Scaling, FitsALineWhereSeveralSizesAreKnown) {
  // shuffle = 2 s + 1 s a map; reduce is constant
  const std::vector runs = {run_of(4, 6'000, 5'000), run_of(8, 10'000, 5'000)};
  const ScaledRuns scaled = scale_runs(runs, {.input = Bytes{16 * 64 * mib}});
  EXPECT_EQ(scaled.method, ScalingMethod::fitted);
  for (const RunPhases& run : scaled.runs) {
    EXPECT_EQ(run.first_shuffle[0], ms(18'000));
    EXPECT_EQ(run.reduce[0], ms(5'000));
  }
}

TEST(Scaling, MoreReducesShareTheSameData) {
  const ScaledRuns scaled =
      scale_runs(std::vector{run_of(8, 10'000, 4'000)}, {.input = Bytes{8 * 64 * mib}, .reduces = 8});
  EXPECT_EQ(scaled.runs[0].reduce[0], ms(2'000));
}

TEST(Scaling, LeavesEqualSizesAndRunsWithoutDataAlone) {
  const std::vector equal = {run_of(8, 10'000, 4'000)};
  EXPECT_EQ(scale_runs(equal, {.input = Bytes{8 * 64 * mib + 1'000}}).method, ScalingMethod::same_size);
  EXPECT_EQ(scale_runs(equal, {}).method, ScalingMethod::none);
  std::vector tiny = equal;
  tiny[0].map_input = Bytes{400};  // a job that sleeps: what it reads says nothing of its time
  const ScaledRuns scaled = scale_runs(tiny, {.input = Bytes{1'200}, .maps = 24});
  EXPECT_EQ(scaled.method, ScalingMethod::none);
  EXPECT_EQ(scaled.runs[0].reduce[0], ms(4'000));
  EXPECT_EQ(scaled.maps, 24);
}

// On few cores: a map takes 10 s beside one other, 20 s beside three others.
TEST(Scaling, MapsSlowDownBesideAsManyOthersAsTheRunsShowed) {
  std::vector runs = {run_of(8, 0, 0), run_of(8, 0, 0)};
  runs[0].slots.map_slots = 2;
  runs[0].map.assign(8, ms(10'000));
  runs[1].slots.map_slots = 4;
  runs[1].map.assign(8, ms(20'000));
  const auto length_on = [&](Count slots) { return scale_runs(runs, {.map_slots = slots}).runs[0].map[0]; };
  EXPECT_EQ(length_on(2), ms(10'000));
  EXPECT_EQ(length_on(3), ms(15'000));
  EXPECT_EQ(length_on(100), ms(20'000)) << "no further than was seen";
  EXPECT_EQ(length_on(1), ms(10'000));
  EXPECT_FALSE(scale_runs(runs, {}).contention);
  EXPECT_TRUE(predict("x", runs, {3, 4}).contention);
  EXPECT_FALSE(predict("x", runs, {3, 4}, {}, {.contention = false}).contention);
  runs[1].map.assign(8, ms(9'000));  // more neighbours did no harm
  EXPECT_FALSE(scale_runs(runs, {.map_slots = 3}).contention);
}

TEST(Scaling, ALineNeverFallsNorStartsBelowNothing) {
  holds_always([] {
    std::vector<Point> points;
    for (int i = *rc::gen::inRange(1, 6); i > 0; --i) {
      points.push_back(
          {static_cast<double>(*rc::gen::inRange(1, 100)), static_cast<double>(*rc::gen::inRange(0, 100))});
    }
    const Line line = fit_line(points);
    RC_ASSERT(line.slope >= 0);
    RC_ASSERT(line.intercept >= 0);
    // No neighbouring admissible line has a smaller sum of squares.
    const auto squares = [&](const Line& candidate) {
      double sum = 0;
      for (const Point& p : points) sum += (p.y - candidate.at(p.x)) * (p.y - candidate.at(p.x));
      return sum;
    };
    for (const double a : {-0.01, 0.0, 0.01}) {
      for (const double b : {-0.001, 0.0, 0.001}) {
        const Line other = {std::max(0.0, line.intercept + a), std::max(0.0, line.slope + b)};
        RC_ASSERT(squares(line) <= squares(other) + 1e-6);
      }
    }
  });
}

TEST(Predict, ARunOfEqualTasksExactly) {
  const Prediction prediction = predict("x", std::vector{run_of(8, 10'000, 4'000)}, {4, 4});
  const double expected = 1'000 + 2 * 100'000 + 10'000 + 4'000;
  EXPECT_DOUBLE_EQ(prediction.bounds.low_ms, expected);
  EXPECT_DOUBLE_EQ(prediction.wave_ms, expected);
  EXPECT_DOUBLE_EQ(prediction.percentiles.p50_ms, expected);
  EXPECT_DOUBLE_EQ(prediction.percentiles.p95_ms, expected);
  EXPECT_GE(prediction.bounds.up_ms, expected);
}

TEST(Predict, LaterWavesThatNoRunShowedAreTakenToBeLikeTheFirst) {
  const Prediction prediction = predict("x", std::vector{run_of(8, 10'000, 4'000)}, {8, 2});
  EXPECT_DOUBLE_EQ(prediction.percentiles.p50_ms, 1'000 + 100'000 + 2 * 14'000);
  EXPECT_DOUBLE_EQ(prediction.wave_ms, 1'000 + 100'000 + 2 * 14'000);
}

TEST(Predict, PercentilesLieWithinTheBoundsOfTheExtremesAndRepeatWithTheSeed) {
  RunPhases run = run_of(8, 10'000, 4'000);
  run.map[0] = ms(300'000);
  const std::vector runs = {run};
  const Prediction one = predict("x", runs, {2, 4});
  EXPECT_LE(one.percentiles.p50_ms, one.percentiles.p95_ms);
  EXPECT_GE(one.percentiles.p50_ms, 1'000 + 4 * 100'000 + 14'000);
  EXPECT_LE(one.percentiles.p95_ms, 1'000 + 4 * 300'000 + 14'000);
  EXPECT_DOUBLE_EQ(predict("x", runs, {2, 4}).percentiles.mean_ms, one.percentiles.mean_ms);
  EXPECT_NE(predict("x", runs, {2, 4}, {}, {.seed = 9}).percentiles.mean_ms, one.percentiles.mean_ms);
}

TEST(Predict, SaysWhenThereIsNothingToPredictFromOrNothingToRunOn) {
  EXPECT_THROW((void)predict("x", {}, {1, 1}), NoAnswer);
  EXPECT_THROW((void)predict("x", std::vector{run_of(8, 1, 1)}, {0, 4}), NoAnswer);
  EXPECT_THROW((void)predict("x", std::vector{run_of(8, 1, 1)}, {-1, 4}), UsageError);
  EXPECT_THROW((void)predict("x", std::vector{run_of(8, 1, 1)}, {1, 1}, {.input = Bytes{0}}), UsageError);
}

TEST(Evaluate, PredictsEachRunFromTheOthersOnly) {
  std::vector runs = {run_of(8, 10'000, 4'000), run_of(8, 10'000, 4'000), run_of(8, 10'000, 4'000)};
  runs[2].map.assign(8, ms(200'000));
  runs[2].finish = at_ms(215'000);
  const std::vector<RunPrediction> predictions = evaluate("x", runs).alone;
  ASSERT_EQ(predictions.size(), 3U);
  // The slow run is predicted from two runs of 115 s, not from itself.
  EXPECT_DOUBLE_EQ(predictions[2].measured_ms, 215'000);
  EXPECT_DOUBLE_EQ(predictions[2].predicted.percentiles.p50_ms, 115'000);
  EXPECT_NEAR(predictions[2].error(predictions[2].predicted.percentiles.p50_ms), -100.0 / 215, 1e-9);
  const MeanAbsoluteError mean = mean_absolute_error(predictions);
  EXPECT_EQ(mean.runs, 3);
  EXPECT_GT(mean.p50, 0.1);
}

TEST(Evaluate, LeavesOutWhatCannotBeMeasuredOrHasNoOthers) {
  EXPECT_TRUE(evaluate("x", std::vector{run_of(8, 10'000, 4'000)}).alone.empty());
  std::vector runs = {run_of(8, 10'000, 4'000), run_of(8, 10'000, 4'000)};
  runs[1].state = RunState::failed;
  EXPECT_TRUE(evaluate("x", runs).alone.empty());
  runs[1].state = RunState::succeeded;
  runs[1].finish.reset();
  EXPECT_EQ(evaluate("x", runs).alone.size(), 1U);
}

}  // namespace
}  // namespace wavewright
