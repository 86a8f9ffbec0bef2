#include "wavewright/predict/predict.h"
#include "tests/property.h"

#include <rapidcheck.h>

#include "wavewright/core/error.h"
#include "wavewright/core/random.h"
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
  EXPECT_EQ(length_on(8), ms(30'000)) << "beyond what was seen half of the slope";
  EXPECT_EQ(length_on(100), ms(30'000)) << "and no further than twice";
  EXPECT_EQ(length_on(1), ms(7'500));
  EXPECT_FALSE(scale_runs(runs, {}).contention);
  EXPECT_TRUE(predict("x", runs, {3, 4}).contention);
  EXPECT_FALSE(predict("x", runs, {3, 4}, {}, {.contention = false}).contention);
  runs[1].map.assign(8, ms(9'000));  // more neighbours did no harm
  EXPECT_FALSE(scale_runs(runs, {.map_slots = 3}).contention);
}

TEST(Predict, TheWidthAskedForGoesBeforeTheSlots) {
  std::vector runs = {run_of(8, 0, 0), run_of(8, 0, 0)};
  runs[0].slots.map_slots = 2;
  runs[0].map.assign(8, ms(10'000));
  runs[1].slots.map_slots = 4;
  runs[1].map.assign(8, ms(20'000));
  EXPECT_DOUBLE_EQ(predict("x", runs, {2, 4}).job.map.avg_ms, 10'000);
  EXPECT_DOUBLE_EQ(predict("x", runs, {2, 4}, {.map_slots = 4}).job.map.avg_ms, 20'000);
}

TEST(Scaling, ARobustLineTakesTheMiddleOfItsSlopes) {
  // Slopes between the points: 1, 1, 1, 3, 4, 7, in the middle 2; beside it stand 8, 9, 10 and 13.
  const Line line = robust_line(std::vector<Point>{{0, 10}, {1, 11}, {2, 12}, {3, 19}});
  EXPECT_DOUBLE_EQ(line.slope, 2);
  EXPECT_DOUBLE_EQ(line.intercept, 9.5);
  // Ten less, it would begin below nothing: it is drawn from 0 by the middle of y/x, which are 1, 1 and 3.
  const Line from_nothing = robust_line(std::vector<Point>{{0, 0}, {1, 1}, {2, 2}, {3, 9}});
  EXPECT_DOUBLE_EQ(from_nothing.intercept, 0);
  EXPECT_DOUBLE_EQ(from_nothing.slope, 1);
}

TEST(Scaling, OneBusyRunDoesNotBendTheRobustLine) {
  std::vector<Point> points;
  for (int i = 1; i <= 6; ++i) points.push_back({static_cast<double>(i), 10.0 + 2 * i});
  points.push_back({2, 300});
  const Line line = robust_line(points);
  EXPECT_NEAR(line.slope, 2, 0.01);
  EXPECT_NEAR(line.intercept, 10, 0.01);
  EXPECT_GT(std::abs(fit_line(points).at(6) - 22), 15) << "as least squares does";
  EXPECT_DOUBLE_EQ(robust_line(std::vector<Point>{{1, 9}, {2, 5}, {3, 1}}).slope, 0) << "never falls";
}

TEST(Scaling, MapsOfSeveralInputSizesFollowTheirs) {
  std::vector runs = {run_of(8, 10'000, 4'000), run_of(8, 10'000, 4'000)};
  runs[1].map_input = Bytes{8 * 128 * mib};
  runs[1].map.assign(8, ms(180'000));  // 20 s, and 80 s for each 64 MiB
  const ScaledRuns scaled = scale_runs(runs, {.input = Bytes{8 * 96 * mib}, .maps = 8});
  EXPECT_EQ(scaled.runs[0].map[0], ms(140'000));
  EXPECT_EQ(scaled.runs[1].map[0], ms(140'000));
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
  EXPECT_LT(prediction.percentiles.p5_ms, expected) << "another run may differ from the one that is known";
  EXPECT_GT(prediction.percentiles.p95_ms, expected);
  EXPECT_GE(prediction.bounds.up_ms, expected);
}

// What no task's length holds: start-up, slots that wait for their next task, commit.
TEST(Predict, CountsWhatPassesBetweenTasks) {
  RunPhases run = run_of(8, 10'000, 4'000);
  run.startup = ms(7'000);
  run.commit = ms(500);
  run.map_ramp.assign(4, ms(0));
  run.map_wait.assign(4, ms(2'500));
  run.reduce_wait.assign(4, ms(1'000));
  const Prediction prediction = predict("x", std::vector{run}, {2, 4});
  const double maps = 4 * 100'000 + 3 * 2'500;
  EXPECT_DOUBLE_EQ(prediction.percentiles.p50_ms, 7'000 + maps + 10'000 + 4'000 + 500);
  EXPECT_NEAR(prediction.percentiles.stages.map_ms, maps, 1e-6);
  EXPECT_NEAR(prediction.percentiles.stages.startup_ms, 7000, 1e-6);
  EXPECT_NEAR(prediction.percentiles.stages.total_ms(), prediction.percentiles.mean_ms, 1e-6);
}

TEST(Predict, ReducesThatStartAfterTheMapsPayTheirOwnStartUp) {
  RunPhases run = run_of(8, 10'000, 4'000);
  run.first_shuffle.clear();
  run.shuffle.assign(4, ms(12'000));
  run.reduce_wait.assign(4, ms(3'000));
  run.settings["mapreduce.job.reduce.slowstart.completedmaps"] = "1.0";
  const Prediction prediction = predict("x", std::vector{run}, {8, 4});
  EXPECT_DOUBLE_EQ(prediction.percentiles.p50_ms, 1'000 + 100'000 + 3'000 + 12'000 + 4'000);
}

TEST(Predict, SaysThatAnInputHasNoEffectWhereTheRunsTellNone) {
  RunPhases run = run_of(8, 10'000, 4'000);
  EXPECT_FALSE(predict("x", std::vector{run}, {4, 4}, {.input = Bytes{mib << 10}}).input_unused);
  run.map_input.reset();
  EXPECT_TRUE(predict("x", std::vector{run}, {4, 4}, {.input = Bytes{mib << 10}}).input_unused);
  EXPECT_FALSE(predict("x", std::vector{run}, {4, 4}).input_unused);
}

TEST(Predict, HugeJobsAreAnsweredFromTheirSumsOrRefused) {
  const std::vector runs = {run_of(8, 10'000, 4'000)};
  const Prediction huge = predict("x", runs, {1'000, 4}, {.maps = 100'000'000});
  EXPECT_NEAR(huge.percentiles.p50_ms, 1'000 + 100'000.0 * 100'000 + 14'000, 1e6);
  EXPECT_THROW((void)predict("x", runs, {50'000'000, 4}, {.maps = 100'000'000}), UsageError);
}

TEST(Predict, TheHeadOfAHugeJobAgreesWithEveryTaskSimulated) {
  RunModel model;
  model.pooled.map = {ms(50'000), ms(100'000), ms(220'000)};
  const SimulatedRuns every = simulate_runs(model, {tasks_at_once, 0, {2'000, 0}}, 1, 5);
  const SimulatedRuns summed = simulate_runs(model, {tasks_at_once + 2'000, 0, {2'000, 0}}, 1, 5);
  const double wave = (50'000 + 100'000 + 220'000) / 3.0;
  EXPECT_NEAR(summed.quantile(0.5) - every.quantile(0.5), wave, 0.3 * wave) << "one wave more";
}

TEST(Predict, LaterWavesThatNoRunShowedAreTakenToBeLikeTheFirst) {
  const Prediction prediction = predict("x", std::vector{run_of(8, 10'000, 4'000)}, {8, 2});
  EXPECT_DOUBLE_EQ(prediction.percentiles.p50_ms, 1'000 + 100'000 + 2 * 14'000);
  EXPECT_DOUBLE_EQ(prediction.wave_ms, 1'000 + 100'000 + 2 * 14'000);
}

TEST(Predict, PercentilesAscendAndRepeatWithTheSeed) {
  RunPhases run = run_of(8, 10'000, 4'000);
  run.map[0] = ms(300'000);
  const std::vector runs = {run};
  const Prediction one = predict("x", runs, {2, 4});
  EXPECT_LE(one.percentiles.p5_ms, one.percentiles.p50_ms);
  EXPECT_LE(one.percentiles.p50_ms, one.percentiles.p95_ms);
  EXPECT_GE(one.percentiles.p50_ms, 1'000 + 4 * 100'000 + 14'000);
  EXPECT_DOUBLE_EQ(predict("x", runs, {2, 4}).percentiles.mean_ms, one.percentiles.mean_ms);
  EXPECT_NE(predict("x", runs, {2, 4}, {}, {.seed = 9}).percentiles.mean_ms, one.percentiles.mean_ms);
}

TEST(Predict, SaysWhenThereIsNothingToPredictFromOrNothingToRunOn) {
  EXPECT_THROW((void)predict("x", {}, {1, 1}), Infeasible);
  EXPECT_THROW((void)predict("x", std::vector{run_of(8, 1, 1)}, {0, 4}), Infeasible);
  EXPECT_THROW((void)predict("x", std::vector{run_of(8, 1, 1)}, {-1, 4}), UsageError);
  EXPECT_THROW((void)predict("x", std::vector{run_of(8, 1, 1)}, {1, 1}, {.input = Bytes{0}}), UsageError);
}

TEST(Evaluate, PredictsEachRunFromTheOthersOnly) {
  std::vector runs = {run_of(8, 10'000, 4'000), run_of(8, 10'000, 4'000), run_of(8, 10'000, 4'000)};
  runs[2].map.assign(8, ms(200'000));
  runs[2].finish = at_ms(215'000);
  const std::vector<RunPrediction> predictions = evaluate(Predictor("x", runs)).alone;
  ASSERT_EQ(predictions.size(), 3U);
  // The slow run is predicted from two runs of 115 s, not from itself.
  EXPECT_DOUBLE_EQ(predictions[2].measured_ms, 215'000);
  EXPECT_DOUBLE_EQ(predictions[2].predicted.percentiles.p50_ms, 115'000);
  EXPECT_NEAR(predictions[2].error(predictions[2].predicted.percentiles.p50_ms), -100.0 / 215, 1e-9);
  const MeanAbsoluteError mean = mean_absolute_error(predictions);
  EXPECT_EQ(mean.runs, 3);
  EXPECT_GT(mean.p50, 0.1);
}

TEST(Evaluate, RunsThatHadTheClusterAloneAreForetoldFromTheirLike) {
  std::vector<RunPhases> runs;
  for (int i = 0; i < 5; ++i) {
    runs.push_back(run_of(8, 10'000, 4'000));
    runs.back().id = "job_1_" + std::to_string(i);
    if (i >= 3) runs.back().map.assign(8, ms(300'000));  // beside another job
  }
  const Evaluation found = evaluate(Predictor("x", runs, {"job_1_3", "job_1_4"}));
  ASSERT_EQ(found.alone.size(), 3U);
  EXPECT_EQ(found.shared.size(), 2U);
  EXPECT_EQ(found.alone[0].predicted.runs, 2) << "the other two that were alone";
  EXPECT_DOUBLE_EQ(found.alone[0].predicted.percentiles.p50_ms, 115'000);
}

TEST(Evaluate, ErrorsToBothSidesCancelInTheBias) {
  std::vector<RunPrediction> runs(2);
  runs[0].measured_ms = runs[1].measured_ms = 100;
  runs[0].predicted.percentiles.p50_ms = 130;
  runs[1].predicted.percentiles.p50_ms = 90;
  const MeanAbsoluteError mean = mean_absolute_error(runs);
  EXPECT_NEAR(mean.bias, (0.3 - 0.1) / 2, 1e-12);
  EXPECT_NEAR(mean.p50, (0.3 + 0.1) / 2, 1e-12);
}

TEST(Evaluate, HoldsOutAWholeSize) {
  std::vector runs = {run_of(8, 10'000, 4'000), run_of(8, 10'000, 4'000), run_of(16, 20'000, 8'000)};
  runs[1].id = "job_1_8b";
  EvaluationOptions by_size;
  by_size.hold_out = HoldOut::size;
  const Evaluation held = evaluate(Predictor("x", runs), by_size);
  ASSERT_EQ(held.alone.size(), 3U);
  EXPECT_EQ(held.alone[0].predicted.runs, 1) << "from the larger one only";
  EXPECT_EQ(held.alone[2].predicted.runs, 2);
  EXPECT_NEAR(held.alone[2].predicted.percentiles.p50_ms, 1'000 + 100'000 + 28'000, 1);
  runs.pop_back();
  EXPECT_EQ(evaluate(Predictor("x", runs), by_size).not_predicted, 2) << "no other size";
}

TEST(Evaluate, PredictsFromRunsOfTheSameConfiguration) {
  std::vector<RunPhases> runs;
  for (int i = 0; i < 8; ++i) {
    RunPhases run = run_of(8, 10'000, 4'000);
    run.id += std::to_string(i);
    run.settings["mapreduce.sleepjob.map.sleep.time"] = i < 4 ? "100" : "200";
    if (i >= 4) run.map.assign(8, ms(200'000));
    if (i >= 4) run.finish = at_ms(215'000);
    runs.push_back(run);
  }
  EXPECT_LT(mean_absolute_error(evaluate(Predictor("x", runs)).alone).p50, 1e-9);
  PredictorOptions every;
  every.every_configuration = true;
  const Evaluation pooled = evaluate(Predictor("x", runs).with(every));
  EXPECT_GT(mean_absolute_error(pooled.alone).p50, 0.1);
}

// The interval's promise, on jobs whose runs differ from one another more than their tasks do.
TEST(Evaluate, TheIntervalHoldsAboutNineRunsInTen) {
  Count held = 0;
  Count all = 0;
  for (std::uint64_t job = 0; job < 12; ++job) {
    Random random(job, "coverage");
    std::vector<RunPhases> runs;
    for (int i = 0; i < 8; ++i) {
      const double pace = random.lognormal(0, 0.12);
      RunPhases run = run_of(8, 10'000, 4'000);
      run.id += std::to_string(i);
      double longest = 0;
      for (Duration& map : run.map) {
        map = ms(std::llround(100'000 * pace * random.lognormal(0, 0.05)));
        longest = std::max(longest, static_cast<double>(map.count()));
      }
      run.finish = at_ms(1'000 + std::llround(longest) + 14'000);
      runs.push_back(run);
    }
    for (const RunPrediction& run : evaluate(Predictor("x", runs)).alone) {
      ++all;
      held += run.within_interval() ? 1 : 0;
    }
  }
  const double share = static_cast<double>(held) / static_cast<double>(all);
  EXPECT_GE(share, 0.80) << held << " of " << all;
  EXPECT_LE(share, 0.98) << held << " of " << all;
}

TEST(Evaluate, StoppedItTellsHowManyRunsAreMissing) {
  const std::vector runs = {run_of(8, 10'000, 4'000), run_of(8, 10'000, 4'000)};
  EvaluationOptions stopped;
  stopped.stop = Stop(std::chrono::nanoseconds(0));
  const Evaluation found = evaluate(Predictor("x", runs), stopped);
  EXPECT_TRUE(found.alone.empty());
  EXPECT_EQ(found.not_reached, 2);
}

TEST(Evaluate, LeavesOutWhatCannotBeMeasuredOrHasNoOthers) {
  EXPECT_TRUE(evaluate(Predictor("x", {run_of(8, 10'000, 4'000)})).alone.empty());
  std::vector runs = {run_of(8, 10'000, 4'000), run_of(8, 10'000, 4'000)};
  runs[1].state = RunState::failed;
  EXPECT_TRUE(evaluate(Predictor("x", runs)).alone.empty());
  runs[1].state = RunState::succeeded;
  runs[1].finish.reset();
  EXPECT_EQ(evaluate(Predictor("x", runs)).alone.size(), 1U);
}

}  // namespace
}  // namespace wavewright
