#include "wavewright/profile/changes.h"
#include "tests/property.h"

#include <rapidcheck.h>

#include <cmath>

#include <fmt/format.h>

#include "wavewright/core/random.h"

namespace wavewright {
namespace {

// Values around a level that steps by `step` (in standard deviations) from `at` on.
std::vector<double> series(std::uint64_t seed, std::size_t count, std::size_t at = 0, double step = 0) {
  Random random(seed, "series");
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(random.normal(i >= at ? step : 0, 1));
  return values;
}

// At 5 %: the expected 20 of 400 with three standard deviations.
TEST(Changes, RunsThatAreAlikeRaiseAnAlarmNoMoreOftenThanSaid) {
  int normal = 0;
  int skewed = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    std::vector<double> values = series(seed, 24);
    normal += find_shifts(values, 0.05, 1).empty() ? 0 : 1;
    for (double& value : values) value = std::exp(2 * value);  // far from normal: a permutation does not mind
    skewed += find_shifts(values, 0.05, 1).empty() ? 0 : 1;
  }
  EXPECT_LE(normal, 33);
  EXPECT_LE(skewed, 33);
  EXPECT_GE(normal, 7) << "a test that never alarms finds nothing either";
}

TEST(Changes, AChangeOfThreeDeviationsIsFoundWhereItIs) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<Shift> shifts = find_shifts(series(seed, 30, 20, 3), 0.01, 1);
    if (shifts.empty()) continue;
    const Shift& last = shifts.back();
    found += last.place >= 19 && last.place <= 21 && last.difference > 0 ? 1 : 0;
  }
  EXPECT_GE(found, 45);
}

TEST(Changes, SeveralChangesAreFoundApart) {
  std::vector<double> values = series(3, 60, 20, 6);
  for (std::size_t i = 40; i < 60; ++i) values[i] -= 12;
  const std::vector<Shift> shifts = find_shifts(values, 0.01, 1);
  ASSERT_EQ(shifts.size(), 2U);
  EXPECT_EQ(shifts[0].place, 20U);
  EXPECT_EQ(shifts[1].place, 40U);
}

TEST(Changes, EqualValuesAndShortSequencesHaveNone) {
  EXPECT_TRUE(find_shifts(std::vector<double>(50, 7.0), 0.05, 1).empty());
  EXPECT_TRUE(find_shifts(series(1, 5, 2, 100), 0.05, 1).empty());
  holds_always([] {
    const auto values = *rc::gen::container<std::vector<double>>(
        rc::gen::map(rc::gen::inRange(-1'000, 1'000), [](int value) { return static_cast<double>(value); }));
    std::size_t before = 0;
    for (const Shift& shift : find_shifts(values, 0.05, 1)) {
      RC_ASSERT(shift.place >= before + 3);  // never fewer runs than can be judged
      RC_ASSERT(shift.place + 3 <= values.size());
      before = shift.place;
    }
  });
}

// Newest first, as the store gives them; maps take twice as long from the 15th run on.
std::vector<RunPhases> changed_job(double factor, bool more_data) {
  std::vector<RunPhases> runs;
  Random random(5, "job");
  for (int i = 0; i < 25; ++i) {
    RunPhases run;
    run.id = fmt::format("job_1_{:04}", i);
    run.state = RunState::succeeded;
    run.submit = at_ms(1'000 + i * 86'400'000LL);
    run.maps = 4;
    const double scale = i >= 15 ? factor : 1;
    run.map_input = Bytes{static_cast<std::int64_t>((more_data ? scale : 1) * 256) << 20};
    run.map.assign(4, ms(std::llround(20'000 * scale * random.lognormal(0, 0.05))));
    runs.insert(runs.begin(), run);
  }
  return runs;
}

TEST(Changes, NamesTheFirstRunAfterAndHowMuch) {
  const std::vector<RunPhases> runs = changed_job(2, false);
  const std::vector<Change> changes = find_changes(runs);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].run, "job_1_0015");
  EXPECT_EQ(changes[0].phase, "map");
  EXPECT_NEAR(changes[0].factor, 2, 0.1);
  EXPECT_EQ(runs_since(changes[0], runs).size(), 10U);
}

TEST(Changes, MoreDataForAMapIsNoChangeOfTheJob) {
  EXPECT_TRUE(find_changes(changed_job(2, true)).empty());
}

TEST(Changes, AFewPercentAreLeftAlone) {
  EXPECT_TRUE(find_changes(changed_job(1.05, false)).empty());
}

TEST(Changes, ThreeRunsOnEachSideAreEnough) {
  // Two of the 20 ways to choose three of six are as extreme: p is about 0.1.
  const std::vector<Shift> shifts = find_shifts(std::vector<double>{0, 0, 0, 9, 9, 9}, 0.2, 1);
  ASSERT_EQ(shifts.size(), 1U);
  EXPECT_EQ(shifts[0].place, 3U);
}

TEST(Changes, OfTooManyRunsTheNewestAreLookedAt) {
  const std::vector<RunPhases> runs = changed_job(2, false);  // from the 15th of 25 on
  const std::vector<Change> changes = find_changes(runs, {.runs_at_most = 16});
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].run, "job_1_0015");
  EXPECT_EQ(changes[0].place, 6U) << "the 9th is the first of 16";
}

}  // namespace
}  // namespace wavewright
