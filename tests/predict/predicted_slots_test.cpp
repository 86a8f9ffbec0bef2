#include "wavewright/predict/predicted_slots.h"
#include "tests/property.h"

#include <cmath>

#include <rapidcheck.h>

#include "wavewright/core/error.h"
#include "wavewright/core/random.h"

namespace wavewright {
namespace {

// Runs of a job on different numbers of slots; with `crowding` tasks slow each other down.
std::vector<RunPhases> runs_of_job(Random& random, Count maps, Count reduces, double crowding) {
  std::vector<RunPhases> runs;
  for (const Count slots : {Count{2}, Count{4}, Count{8}}) {
    RunPhases run;
    run.id = "job_1_" + std::to_string(slots);
    run.state = RunState::succeeded;
    run.submit = at_ms(0);
    run.maps = maps;
    run.reduces = reduces;
    run.slots = {std::min(maps, slots), std::min(reduces, slots)};
    const double longer = 1 + crowding * static_cast<double>(run.slots.map_slots);
    for (Count i = 0; i < maps; ++i)
      run.map.push_back(ms(std::llround(random.uniform(2'000, 6'000) * longer)));
    for (Count i = 0; i < reduces; ++i) {
      run.first_shuffle.push_back(ms(random.integer(100, 900)));
      run.reduce.push_back(ms(random.integer(1'000, 4'000)));
    }
    run.overhead = ms(1'000);
    run.finish = at_ms(60'000);
    runs.push_back(std::move(run));
  }
  return runs;
}

double time_of(const std::vector<RunPhases>& runs, SlotPool slots, double confidence) {
  return predict("x", runs, slots, {}, {.replications = 40, .interval = false}).percentiles.at(confidence);
}

// Every pair, one by one, as the prediction that a user would ask for.
TEST(PredictedSlots, AreTheFewestOfAllPairsWhosePredictionMeetsTheDeadline) {
  holds_always(
      [] {
        Random random(*rc::gen::inRange<std::uint64_t>(0, 1'000'000), "slots");
        const Count maps = *rc::gen::inRange<Count>(1, 8);
        const Count reduces = *rc::gen::inRange<Count>(0, 5);
        const auto runs = runs_of_job(random, maps, reduces, *rc::gen::element(0.0, 0.1, 0.6));
        const double confidence = *rc::gen::element(0.5, 0.8, 0.95);
        const Duration deadline = ms(*rc::gen::inRange(3'000, 60'000));
        std::optional<Count> fewest;
        for (Count m = 1; m <= maps; ++m) {
          for (Count r = std::min<Count>(1, reduces); r <= reduces; ++r) {
            if (time_of(runs, {m, r}, confidence) > static_cast<double>(deadline.count())) continue;
            fewest = std::min(fewest.value_or(m + r), m + r);
          }
        }
        const PreparedPrediction prediction("x", runs, {}, {.replications = 40, .interval = false});
        PredictedSlots search(prediction, {.deadline = deadline, .confidence = confidence});
        if (!fewest) {
          RC_ASSERT_THROWS_AS((void)search.fewest(), Infeasible);
          RC_ASSERT_THROWS_AS((void)search.curve(), Infeasible);
          return;
        }
        const SlotChoice found = search.fewest();
        RC_ASSERT(found.total() == *fewest);
        RC_ASSERT(found.completion_ms == time_of(runs, found.slots, confidence));
        for (const SlotChoice& choice : search.curve()) RC_ASSERT(choice.total() >= *fewest);
      },
      40);
}

// `slots --model` is held against `predict`, where lengths depend on the slots.
TEST(PredictedSlots, ByAFormulaAgreeWithTheFormulaOfAPrediction) {
  Random random(5, "formulas");
  for (const double crowding : {0.0, 0.6}) {
    const auto runs = runs_of_job(random, 7, 4, crowding);
    const PreparedPrediction prediction("x", runs, {}, {.interval = false});
    EXPECT_TRUE(prediction.contention()) << "the runs had different slots";
    const auto by_prediction = [&](SlotPool slots, TimeModel model) {
      const Prediction told = prediction.at(slots);
      return model == TimeModel::low  ? told.bounds.low_ms
             : model == TimeModel::up ? told.bounds.up_ms
                                      : told.wave_ms;
    };
    for (const TimeModel model : {TimeModel::low, TimeModel::up, TimeModel::wave}) {
      const Duration deadline = ms(std::llround(by_prediction({3, 2}, model)));
      std::optional<Count> fewest;
      for (Count m = 1; m <= 7; ++m) {
        for (Count r = 1; r <= 4; ++r) {
          if (by_prediction({m, r}, model) > static_cast<double>(deadline.count())) continue;
          fewest = std::min(fewest.value_or(m + r), m + r);
        }
      }
      if (!fewest) continue;  // the deadline was rounded down
      PredictedSlots search(prediction, {.deadline = deadline, .model = model});
      const SlotChoice found = search.fewest();
      EXPECT_EQ(found.total(), *fewest) << to_string(model) << crowding;
      EXPECT_EQ(found.completion_ms, by_prediction(found.slots, model));
    }
  }
}

TEST(PredictedSlots, OfALargeJobNoneWithASlotFewerMeetsTheDeadline) {
  Random random(3, "large");
  for (const double crowding : {0.0, 0.05}) {
    const auto runs = runs_of_job(random, 60, 24, crowding);
    const PreparedPrediction prediction("x", runs, {}, {.replications = 40, .interval = false});
    const Duration deadline = ms(40'000);
    PredictedSlots search(prediction, {deadline, 0.8});
    const SlotChoice found = search.fewest();
    EXPECT_LE(found.completion_ms, 40'000);
    EXPECT_GT(time_of(runs, {found.slots.map_slots - 1, found.slots.reduce_slots}, 0.8), 40'000);
    EXPECT_GT(time_of(runs, {found.slots.map_slots, found.slots.reduce_slots - 1}, 0.8), 40'000);
    PredictedSlots beside(prediction, {deadline, 0.8, Count{24}});
    EXPECT_EQ(beside.fewest().slots.reduce_slots, 24);
    EXPECT_LE(beside.fewest().slots.map_slots, found.slots.map_slots);
  }
}

TEST(PredictedSlots, MoreConfidenceNeedsNoFewerSlots) {
  Random random(5, "confidence");
  const auto runs = runs_of_job(random, 8, 4, 0);
  const PreparedPrediction prediction("x", runs, {}, {});
  const Duration deadline = ms(std::llround(prediction.at({5, 3}).percentiles.p95_ms));
  Count before = 0;
  for (const double confidence : {0.5, 0.8, 0.95}) {
    const Count needed =
        PredictedSlots(prediction, {.deadline = deadline, .confidence = confidence}).fewest().total();
    EXPECT_GE(needed, before);
    before = needed;
  }
}

TEST(PredictedSlots, RefusesWithTheFastestThatThereIs) {
  Random random(5, "refused");
  const auto runs = runs_of_job(random, 8, 4, 0);
  const PreparedPrediction prediction("x", runs, {}, {});
  try {
    (void)PredictedSlots(prediction, {ms(500), 0.95}).fewest();
    FAIL();
  } catch (const Infeasible& error) {
    EXPECT_NE(std::string(error.what()).find("no slots meet 500ms in 95 % of runs: the fastest, 8 map and 4"),
              std::string::npos)
        << error.what();
  }
  EXPECT_THROW(PredictedSlots(prediction, {ms(0), 0.5}), UsageError);
  EXPECT_THROW(PredictedSlots(prediction, {ms(9'000), 0.5, Count{0}}), UsageError);
}

}  // namespace
}  // namespace wavewright
