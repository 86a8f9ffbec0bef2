#include "wavewright/predict/bounds.h"
#include "tests/property.h"

#include <cmath>
#include <limits>

#include "tests/predict/jobs.h"
#include "wavewright/core/error.h"
#include "wavewright/predict/single_job.h"
#include "wavewright/profile/profile.h"

namespace wavewright {
namespace {

PhaseStatistics of(const std::vector<Duration>& durations) {
  const PhaseProfile profile = profile_of(durations);
  return {static_cast<double>(profile.min.count()), profile.mean_ms,
          static_cast<double>(profile.max.count())};
}

std::vector<Duration> any_durations(std::size_t count, int from) {
  std::vector<Duration> durations;
  for (const int value : *rc::gen::container<std::vector<int>>(count, rc::gen::inRange(from, 1'000))) {
    durations.push_back(ms(value));
  }
  return durations;
}

TEST(StageBounds, AreThoseOfTheErrata) {
  const PhaseStatistics task = {1, 4, 10};
  EXPECT_DOUBLE_EQ(stage_bounds(10, task, 4).low_ms, 10) << "n·avg/k = 10, the longest task 10";
  EXPECT_DOUBLE_EQ(stage_bounds(10, task, 2).low_ms, 20);
  EXPECT_DOUBLE_EQ(stage_bounds(10, task, 4).up_ms, 9 * 4 / 4.0 + 10);
  EXPECT_DOUBLE_EQ(stage_bounds(3, task, 100).up_ms, 2 * 4 / 3.0 + 10)
      << "slots beyond the tasks do not count";
  EXPECT_DOUBLE_EQ(stage_bounds(0, task, 4).up_ms, 0);
}

// Where runs are pooled, the longest task of one of them need not come again.
TEST(StageBounds, OnlyATaskThatEveryRunHadIsSureToCome) {
  const PhaseStatistics task = {1, 4, 30, 12};
  EXPECT_DOUBLE_EQ(stage_bounds(10, task, 4).low_ms, 12) << "n·avg/k = 10, every run had one of 12";
  EXPECT_DOUBLE_EQ(stage_bounds(10, task, 4).up_ms, 9 * 4 / 4.0 + 30);
}

TEST(ReduceStageBounds, AreThoseOfTheErrata) {
  JobStatistics job;
  job.reduces = 10;
  job.first_shuffle = {3, 5, 6};
  job.shuffle = {2, 8, 9};
  job.reduce = {1, 4, 50};
  const Bounds ten_on_four = reduce_stage_bounds(job, 4);
  // n = 10, k = 4: the first shuffle, (9/4 − 1) later ones and the longest, 9/4 reduces and the longest.
  EXPECT_DOUBLE_EQ(ten_on_four.up_ms, 6 + (1.25 * 8 + 9) + 2.25 * 4 + 50);
  // A run of 50 for the longest reduce, after at least the shortest of both kinds of shuffle.
  EXPECT_DOUBLE_EQ(ten_on_four.low_ms, 50 + 2);
  job.reduce = {1, 4, 7};
  // 10/4 waves on average: one first shuffle, 1.5 later ones, 2.5 reduces.
  EXPECT_DOUBLE_EQ(reduce_stage_bounds(job, 4).low_ms, 5 + 1.5 * 8 + 2.5 * 4);
}

TEST(JobBounds, LaterShuffleIsNothingWhereAllReducesFitInOneWave) {
  JobStatistics job = anagram_24_24(32);
  const Bounds one_wave = reduce_stage_bounds(job, 24);
  job.shuffle = {900'000, 900'000, 900'000};
  EXPECT_DOUBLE_EQ(reduce_stage_bounds(job, 24).up_ms, one_wave.up_ms);
  EXPECT_DOUBLE_EQ(reduce_stage_bounds(job, 24).low_ms, one_wave.low_ms);
  EXPECT_GT(reduce_stage_bounds(job, 23).up_ms, one_wave.up_ms);
}

// What the bounds are for: a run of exactly these tasks, whatever their order, lies between them.
TEST(JobBounds, BracketEveryGreedyRunOfTheTasksThatTheyDescribe) {
  holds_always([] {
    const auto map_count = *rc::gen::inRange<std::size_t>(0, 30);
    const auto reduce_count = *rc::gen::inRange<std::size_t>(0, 20);
    const SlotPool slots = {*rc::gen::inRange<Count>(1, 12), *rc::gen::inRange<Count>(1, 12)};
    const auto maps = any_durations(map_count, 0);
    const auto reduces =
        any_durations(reduce_count, 1);  // of no length, more than a wave could start at once
    const auto first = any_durations(reduce_count, 0);
    const auto later = any_durations(reduce_count, 0);
    const SingleJobTimes times = run_alone({maps, reduces, first, later}, slots);

    JobStatistics job;
    job.maps = static_cast<Count>(map_count);
    job.reduces = static_cast<Count>(reduce_count);
    job.map = of(maps);
    job.reduce = of(reduces);
    const auto wave = std::min(reduce_count, static_cast<std::size_t>(slots.reduce_slots));
    const auto cut = static_cast<std::ptrdiff_t>(wave);
    job.first_shuffle = of({first.begin(), first.begin() + cut});  // as a profile of that run would tell
    job.shuffle = of({later.begin() + cut, later.end()});
    const Bounds bounds = job_bounds(job, slots);
    const auto finish = static_cast<double>(times.finish.count());
    RC_ASSERT(bounds.low_ms <= finish + 1e-6);
    RC_ASSERT(finish <= bounds.up_ms + 1e-6);
  });
}

TEST(Times, NeverGrowWithSlotsInAnyModel) {
  holds_always([] {
    const JobStatistics job = any_job();
    for (const TimeModel model : time_models) {
      double before = std::numeric_limits<double>::infinity();
      for (Count slots = 1; slots <= job.maps + 3; ++slots) {
        const double now = map_stage_ms(job, slots, model);
        RC_ASSERT(now <= before);
        before = now;
      }
      before = std::numeric_limits<double>::infinity();
      for (Count slots = 1; slots <= job.reduces + 3; ++slots) {
        const double now = reduce_stage_ms(job, slots, model);
        RC_ASSERT(now <= before);
        before = now;
      }
    }
  });
}

TEST(WaveModel, IsEquation314) {
  // 32 maps on 16 slots: two waves of 140 s; 24 reduces on 24: 136 s + 24.5 s.
  EXPECT_DOUBLE_EQ(completion_ms(anagram_24_24(32), {16, 24}, TimeModel::wave), 280'000 + 136'000 + 24'500);
  // On 12 reduce slots a second wave: one later shuffle of 136.5 s, one more reduce.
  EXPECT_DOUBLE_EQ(completion_ms(anagram_24_24(32), {16, 12}, TimeModel::wave),
                   280'000 + 136'000 + 136'500 + 2 * 24'500);
}

TEST(SimpleModel, IsAOverMapsPlusBOverReducesPlusC) {
  holds_always([] {
    const JobStatistics job = any_job();
    RC_PRE(job.maps > 0 && job.reduces > 0);
    const SlotPool slots = {*rc::gen::inRange<Count>(1, job.maps + 1),
                            *rc::gen::inRange<Count>(1, job.reduces + 1)};
    const SimpleForm form = simple_form(job);
    const double expected = form.a / static_cast<double>(slots.map_slots) +
                            form.b / static_cast<double>(slots.reduce_slots) + form.c;
    RC_ASSERT(std::abs(completion_ms(job, slots, TimeModel::simple) - expected) < 1e-6);
  });
}

TEST(Times, AJobWithoutReducesHasNoReduceStage) {
  JobStatistics job = anagram_24_24(4);
  job.reduces = 0;
  EXPECT_DOUBLE_EQ(completion_ms(job, {4, 0}, TimeModel::wave), 140'000);
  EXPECT_DOUBLE_EQ(completion_ms(job, {4, 0}, TimeModel::simple), 140'000);
  EXPECT_DOUBLE_EQ(job_bounds(job, {4, 0}).up_ms, 3 * 144'000 / 4.0 + 186'000);
}

TEST(Times, TasksWithoutSlotsNeverEnd) {
  EXPECT_THROW((void)job_bounds(anagram_24_24(4), {0, 4}), Infeasible);
  EXPECT_THROW((void)completion_ms(anagram_24_24(4), {4, 0}, TimeModel::wave), Infeasible);
}

TEST(Statistics, RefuseNumbersThatCannotBe) {
  const auto bad = [](auto change) {
    JobStatistics job = anagram_24_24(4);
    change(job);
    EXPECT_THROW(check(job), UsageError);
  };
  bad([](JobStatistics& job) { job.map.avg_ms = std::nan(""); });
  bad([](JobStatistics& job) { job.map.min_ms = -1; });
  bad([](JobStatistics& job) { job.reduce.max_ms = 1; });
  bad([](JobStatistics& job) { job.shuffle.max_ms = std::numeric_limits<double>::infinity(); });
  bad([](JobStatistics& job) { job.maps = -1; });
  bad([](JobStatistics& job) { job.overhead_ms = -5; });
  EXPECT_NO_THROW(check(anagram_24_24(4)));
}

TEST(TimeModelNames, AreReadBackAndSuggested) {
  for (const TimeModel model : time_models) {
    EXPECT_EQ(parse_time_model(to_string(model)), model);
  }
  EXPECT_THROW((void)parse_time_model("waves"), UsageError);
}

}  // namespace
}  // namespace wavewright
