#include "wavewright/predict/track_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include "wavewright/core/random.h"

namespace wavewright {
namespace {

using ::testing::HasSubstr;

// Runs of eight maps on four slots, newest first; the first `slow` of them take `factor` times as long.
std::vector<RunPhases> runs_of(std::size_t count, std::size_t slow, double factor, double spread) {
  Random random(3, "runs");
  std::vector<RunPhases> runs;
  for (std::size_t i = 0; i < count; ++i) {
    const double shift = random.normal(0, spread) + (i < slow ? std::log(factor) : 0);
    RunPhases run;
    run.id = fmt::format("job_1_{:04}", count - i);
    run.state = RunState::succeeded;
    run.submit = at_ms(1'700'000'000'000 + 86'400'000 * static_cast<std::int64_t>(count - i));
    run.maps = 8;
    run.slots = {4, 0};
    for (int k = 0; k < 8; ++k) run.map.push_back(ms(std::llround(10'000 * random.lognormal(shift, 0.02))));
    run.finish = *run.submit + ms(std::llround(20'000 * std::exp(shift)));
    run.overhead = ms(0);
    runs.push_back(std::move(run));
  }
  return runs;
}

TEST(TrackRecord, TellsHowFarOffTheNewestRunsWere) {
  const TrackRecord steady = track_record(Predictor("etl", runs_of(30, 0, 1, 0.01)));
  const TrackRecord wild = track_record(Predictor("etl", runs_of(30, 0, 1, 0.3)));
  EXPECT_EQ(steady.runs, 12);
  EXPECT_LT(steady.error, 0.05);
  EXPECT_GT(wild.error, 0.1);
  EXPECT_FALSE(steady.changed);
  EXPECT_EQ(record_text(steady), fmt::format("±{:.0f} % in its last 12 runs", 100 * steady.error));
}

TEST(TrackRecord, LiveRunsAreToldBeside) {
  const std::vector<double> errors = {0.1, -0.06};
  const TrackRecord record = track_record(Predictor("etl", runs_of(2, 0, 1, 0)), errors);
  EXPECT_EQ(record.live_runs, 2);
  EXPECT_NEAR(record.live_error, 0.08, 1e-9);
  EXPECT_THAT(record_text(record), HasSubstr("±8 % in 2 live runs"));
  EXPECT_EQ(record_text(TrackRecord{}), "");
}

TEST(TrackRecord, FlagsAChangeWhileOlderRunsCount) {
  const TrackRecord record = track_record(Predictor("etl", runs_of(30, 6, 1.6, 0.02)));
  ASSERT_TRUE(record.changed);
  EXPECT_EQ(record.changed->phase, "map");
  EXPECT_EQ(record.changed->runs, 6);
  EXPECT_NEAR(record.changed->factor, 1.6, 0.1);
  EXPECT_THAT(change_text(record), HasSubstr("its maps take 1."));
  EXPECT_THAT(change_text(record), HasSubstr("(6 runs)"));
  EXPECT_FALSE(track_record(Predictor("etl", runs_of(60, 57, 1.6, 0.02))).changed)
      << "three old runs of sixty";
}

}  // namespace
}  // namespace wavewright
