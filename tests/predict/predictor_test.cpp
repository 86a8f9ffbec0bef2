#include "wavewright/predict/predictor.h"
#include "tests/property.h"

#include <rapidcheck.h>

#include "wavewright/core/error.h"
#include "wavewright/predict/evaluate.h"
#include "wavewright/profile/groups.h"

namespace wavewright {
namespace {

// A run of maps and two reduces that had its slots; the `number`th of its cluster.
RunPhases plain_run(int number, Count maps = 6) {
  RunPhases run;
  run.id = "job_1_" + std::to_string(number);
  run.state = RunState::succeeded;
  run.submit = at_ms(1'000'000 - number * 1'000);  // the first one is the newest
  run.maps = maps;
  run.reduces = 2;
  run.slots = {3, 2};
  run.map.assign(static_cast<std::size_t>(maps), ms(10'000));
  run.first_shuffle.assign(2, ms(2'000));
  run.reduce.assign(2, ms(5'000));
  run.overhead = ms(1'000);
  run.finish = *run.submit + ms(28'000);
  run.settings["queue"] = "a";
  return run;
}

std::vector<std::string> used(const RunChoice& choice) {
  std::vector<std::string> ids;
  for (const RunPhases& run : choice.runs) ids.push_back(run.id);
  return ids;
}

TEST(Predictor, LeavesOutByFourRulesAndSaysWhy) {
  std::vector<RunPhases> runs;
  for (int i = 0; i < 8; ++i) runs.push_back(plain_run(i));
  runs[1].state = RunState::failed;
  runs[3].settings["queue"] = "b";
  PredictorOptions options;
  options.runs_at_most = 4;
  const RunChoice choice = Predictor("x", runs, {"job_1_2"}, options).choose();
  EXPECT_EQ(used(choice), (std::vector<std::string>{"job_1_0", "job_1_4", "job_1_5", "job_1_6"}));
  EXPECT_EQ(choice.left_out, (std::vector<LeftOutRun>{{"job_1_1", LeftOutWhy::not_succeeded},
                                                      {"job_1_2", LeftOutWhy::shared},
                                                      {"job_1_3", LeftOutWhy::configuration},
                                                      {"job_1_7", LeftOutWhy::older}}));
  EXPECT_EQ(choice.counts().text(),
            "1 did not succeed, 1 shared the cluster, 1 configured otherwise, 1 older");
  EXPECT_FALSE(choice.shared_used);
}

// A run that says 900 maps and tells eight would size every prediction.
TEST(Predictor, RunsThatTellFewOfTheirTasksAreLeftOut) {
  std::vector<RunPhases> runs;
  for (int i = 0; i < 5; ++i) runs.push_back(plain_run(i));
  runs[0].maps = 900;
  runs[1].reduce.clear();
  runs[2].maps = 12;  // half are told
  runs[3].maps = runs[3].reduces = 0;
  runs[3].map.clear();
  runs[3].reduce.clear();
  const RunChoice choice = Predictor("x", runs).choose();
  EXPECT_EQ(used(choice), (std::vector<std::string>{"job_1_2", "job_1_4"}));
  EXPECT_EQ(choice.counts().of(LeftOutWhy::incomplete), 3);
  EXPECT_EQ(choice.never_used().text(), "3 told too few times of tasks");
  EXPECT_EQ(Predictor("x", runs).predict_stored(0), std::nullopt);
}

TEST(Predictor, UsesSharedRunsOnlyWhereNoOtherCanAnswer) {
  std::vector<RunPhases> runs = {plain_run(0), plain_run(1), plain_run(2)};
  const Predictor all_shared("x", runs, {"job_1_0", "job_1_1", "job_1_2"});
  EXPECT_EQ(all_shared.choose().runs.size(), 3U);
  EXPECT_TRUE(all_shared.choose().shared_used);
  EXPECT_TRUE(all_shared.predict({3, 2}).shared_used);
  runs[2].reduces = 0;  // the only run alone tells nothing of reduces
  runs[2].reduce.clear();
  const Predictor one_alone("x", runs, {"job_1_0", "job_1_1"});
  EXPECT_EQ(one_alone.choose({.size = {.reduces = 2}}).runs.size(), 3U);
  EXPECT_EQ(used(one_alone.choose({.size = {.reduces = 0}})), std::vector<std::string>{"job_1_2"});
}

TEST(Predictor, ASharedRunMakesNoPredictionLonger) {
  std::vector<RunPhases> runs = {plain_run(0), plain_run(1), plain_run(2), plain_run(3)};
  const Prediction before = Predictor("x", runs).predict({3, 2});
  runs.push_back(plain_run(4));
  runs.back().map.assign(6, ms(90'000));  // beside other jobs
  runs.back().finish = *runs.back().submit + ms(190'000);
  const Prediction after = Predictor("x", runs, {"job_1_4"}).predict({3, 2});
  EXPECT_EQ(after.percentiles.p95_ms, before.percentiles.p95_ms);
  EXPECT_EQ(after.left_out.of(LeftOutWhy::shared), 1);
  PredictorOptions all;
  all.shared_too = true;
  EXPECT_GT(Predictor("x", runs, {"job_1_4"}, all).predict({3, 2}).percentiles.p95_ms,
            before.percentiles.p95_ms);
}

// Runs of a made-up job: two configurations, several sizes, failures, runs beside others.
struct History {
  std::vector<RunPhases> runs;
  std::set<std::string> shared;
};
History any_history() {
  History history;
  const int count = *rc::gen::inRange(2, 9);
  for (int i = 0; i < count; ++i) {
    RunPhases run = plain_run(i, *rc::gen::inRange<Count>(1, 9));
    if (*rc::gen::inRange(0, 6) == 0) run.state = RunState::failed;
    if (*rc::gen::inRange(0, 3) == 0) run.settings["queue"] = "b";
    if (*rc::gen::inRange(0, 4) == 0) history.shared.insert(run.id);
    if (*rc::gen::inRange(0, 5) == 0) {
      run.reduces = 0;
      run.first_shuffle.clear();
      run.reduce.clear();
      run.slots.reduce_slots = 0;
    }
    if (*rc::gen::arbitrary<bool>()) run.map_input = Bytes{run.maps << (20 + *rc::gen::inRange(3, 6))};
    run.slots.map_slots = *rc::gen::inRange<Count>(1, run.maps + 1);
    for (Duration& map : run.map) map = ms(*rc::gen::inRange(1'000, 20'000));
    for (Duration& reduce : run.reduce) reduce = ms(*rc::gen::inRange(500, 9'000));
    run.finish = *run.submit + ms(*rc::gen::inRange(5'000, 90'000));
    history.runs.push_back(std::move(run));
  }
  return history;
}

bool equal(const Prediction& a, const Prediction& b) {
  const auto told = [](const Prediction& p) {
    const Percentiles& q = p.percentiles;
    return std::tuple(p.bounds.low_ms, p.bounds.up_ms, p.wave_ms, p.simple_ms, q.p5_ms, q.p50_ms, q.p95_ms,
                      q.mean_ms, p.scaling, p.runs, p.calibration.deviation, p.shared_used,
                      p.left_out.counts);
  };
  return told(a) == told(b);
}

// What is answered where a run is not stored is what is scored for it.
TEST(Predictor, AnswersForARunThatIsHeldOutWhatTheEvaluationScores) {
  Count compared = 0;
  Count by_default = 0;
  holds_always(
      [&] {
        const History history = any_history();
        PredictorOptions options;
        options.prediction.replications = 20;
        const Predictor predictor("x", history.runs, history.shared, options);
        const Evaluation scored = evaluate(predictor);
        for (const std::vector<RunPrediction>* rows : {&scored.alone, &scored.shared}) {
          for (const RunPrediction& row : *rows) {
            std::vector<RunPhases> others = history.runs;
            const auto run = std::find_if(others.begin(), others.end(),
                                          [&](const RunPhases& each) { return each.id == row.id; });
            const RunPhases held = *run;
            others.erase(run);
            const Predictor answers("x", others, history.shared, options);
            RunQuestion question = question_of(held);
            RC_ASSERT(equal(answers.predict(held.slots, question), row.predicted));
            ++compared;
            // Nobody names a configuration: it is that of the newest run.
            question.like.reset();
            const auto newest = std::find_if(others.begin(), others.end(), [](const RunPhases& each) {
              return each.state == RunState::succeeded;
            });
            if (newest->settings != held.settings || newest->hadoop != held.hadoop ||
                split_class(*newest) != split_class(held))
              continue;
            RC_ASSERT(equal(answers.predict(held.slots, question), row.predicted));
            ++by_default;
          }
        }
      },
      60);
  EXPECT_GT(compared, 50) << "few runs could be compared";
  EXPECT_GT(by_default, 10);
}

}  // namespace
}  // namespace wavewright
