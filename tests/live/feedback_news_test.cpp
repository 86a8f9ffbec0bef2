// News of one job by readings made by hand: its drift, its quarters, its promise and its deadline.
#include "wavewright/live/outlook/feedback.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace wavewright {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr Time night_began = at_ms(1'700'000'000'000);

// Maps and reduces of 10 s each, which hardly vary from run to run.
std::shared_ptr<const LengthModel> ten_seconds(const LiveJob&) {
  LengthModel model = fixed_lengths(ms(10'000), ms(10'000));
  model.runs = 12;
  for (StageLengths* stage : {&model.maps, &model.reduces}) *stage = {0.02, 0.05, 16};
  return std::make_shared<const LengthModel>(std::move(model));
}

// Each task that is done took `length`; the others have not begun.
StageProgress stage_of(Count total, Count done, Duration length = ms(10'000)) {
  StageProgress stage{.total = total, .done = done};
  stage.tasks.assign(static_cast<std::size_t>(done), {length, true, false});
  return stage;
}

class GivenReader : public ProgressReader {
 public:
  std::optional<JobProgress> progress(const std::string&) override { return next; }
  JobProgress next;
};

struct OneJob {
  GivenReader reader;
  ProgressFeedback feedback{reader, ten_seconds};
  LiveBatch batch;
  Duration steady{};

  OneJob() {
    batch.jobs.resize(1);
    job().id = "etl";
    job().profile = "etl";
    job().state = LiveState::running;
    job().applications = {"application_1_1"};
    job().maps = {4, ms(10'000)};
  }
  LiveJob& job() { return batch.jobs[0]; }

  FeedbackNews read(StageProgress maps, StageProgress reduces = {}) {
    reader.next.maps = std::move(maps);
    reader.next.reduces = std::move(reduces);
    steady += ms(10'000);
    return feedback.poll(batch, night_began, steady);
  }
  std::vector<std::string> told(StageProgress maps, StageProgress reduces = {}) {
    std::vector<std::string> details;
    for (const FoundEvent& each : read(std::move(maps), std::move(reduces)).events)
      details.push_back(each.detail);
    return details;
  }
};

// A drift that the batch holds already has changed what is expected: the factor is beside the profile.
TEST(FeedbackNews, AFactorIsBesideTheProfileWhateverTheBatchHolds) {
  struct Case {
    std::optional<double> held;
    int seconds;                   // of each task
    std::optional<double> factor;  // to the profile's 10 s
    const char* text;
  };
  const std::vector<Case> cases = {
      {{}, 10, {}, ""},
      {{}, 20, 2, "take 2.0 times as long as expected, by 3 that are done"},
      {2, 20, {}, ""},
      {2, 40, 4, "take 4.0 times as long as expected, by 3 that are done"},
      {2, 5, 0.5, "take 50 % of the time that was expected, by 3 that are done"}};
  for (const Case& each : cases) {
    const StageProgress stage = stage_of(4, 3, ms(1'000 * each.seconds));
    OneJob of_maps, of_reduces;
    of_maps.job().map_drift = each.held;
    of_reduces.job().reduce_drift = each.held;
    const FeedbackNews maps = of_maps.read(stage), reduces = of_reduces.read(stage_of(4, 4), stage);
    ASSERT_EQ(maps.drifts.size(), each.factor ? 1U : 0U) << each.seconds;
    ASSERT_EQ(reduces.drifts.size(), each.factor ? 1U : 0U) << each.seconds;
    if (!each.factor) continue;
    EXPECT_NEAR(*maps.drifts[0].maps, *each.factor, 0.01);
    EXPECT_EQ(maps.drifts[0].reduces, std::nullopt);
    EXPECT_EQ(maps.drifts[0].detail, std::string("its maps ") + each.text);
    EXPECT_NEAR(*reduces.drifts[0].reduces, *each.factor, 0.01);
    EXPECT_EQ(reduces.drifts[0].maps, std::nullopt);
    EXPECT_EQ(reduces.drifts[0].detail, std::string("its reduces ") + each.text);
  }
}

// By application: the readings of several jobs.
class ReaderOfSeveral : public ProgressReader {
 public:
  std::optional<JobProgress> progress(const std::string& application) override {
    const auto found = readings.find(application);
    return found == readings.end() ? std::nullopt : std::optional(found->second);
  }
  std::map<std::string, JobProgress> readings;
};

// A master that has started no task, a job that YARN has without a master, and a command that is on its way
// have none. A master that tells nothing may have started some.
TEST(FeedbackNews, NamesWithADriftTheJobsThatHaveNoTask) {
  ReaderOfSeveral reader;
  LiveBatch batch;
  const auto add = [&](const std::string& id, LiveState state) -> LiveJob& {
    LiveJob job;
    job.id = id;
    job.profile = "etl";
    job.state = state;
    job.maps = {4, ms(10'000)};
    if (state == LiveState::running) job.applications = {id};
    batch.jobs.push_back(job);
    return batch.jobs.back();
  };
  for (const char* id : {"drifts", "busy", "no-task-yet", "no-answer"}) add(id, LiveState::running);
  add("accepted", LiveState::accepted);
  add("on-its-way", LiveState::submitting);
  add("waits", LiveState::waiting);
  add("done", LiveState::done);
  reader.readings["drifts"].started = reader.readings["busy"].started = night_began;
  reader.readings["drifts"].maps = stage_of(4, 3, ms(10'000));
  reader.readings["busy"].maps = reader.readings["no-task-yet"].maps = stage_of(4, 0);
  ProgressFeedback feedback(reader, ten_seconds);
  Duration steady{};
  const auto poll = [&] {
    FeedbackNews last;
    for (int i = 0; i < 10; ++i) {
      steady += ms(10'000);
      FeedbackNews news = feedback.poll(batch, night_began, steady);
      if (!news.drifts.empty()) last = std::move(news);
    }
    return last;
  };
  EXPECT_THAT(poll().idle, IsEmpty()) << "nothing drifts";
  reader.readings["drifts"].maps = stage_of(4, 3, ms(30'000));
  EXPECT_THAT(poll().idle, ElementsAre("accepted", "no-task-yet", "on-its-way"));
}

TEST(FeedbackNews, TellsTheDriftOfBothStages) {
  OneJob one;
  const FeedbackNews news = one.read(stage_of(4, 4, ms(20'000)), stage_of(4, 3, ms(30'000)));
  ASSERT_THAT(news.drifts, SizeIs(1));
  EXPECT_EQ(news.drifts[0].detail,
            "its maps take 2.0 times as long as expected, by 4 that are done; "
            "its reduces take 3.0 times as long as expected, by 3 that are done");
}

// The batch scales the list of a job that has drifted, as it does the job itself: 30 s of a list of 10 s.
TEST(FeedbackNews, AJobWithoutProfileDriftsFromItsList) {
  OneJob one;
  one.job().profile.clear();
  const FeedbackNews first = one.read(stage_of(4, 3, ms(30'000)));
  ASSERT_THAT(first.drifts, SizeIs(1));
  EXPECT_NEAR(*first.drifts[0].maps, 3, 0.02);
  one.job().map_drift = 3;
  one.job().maps.mean = ms(30'000);
  EXPECT_THAT(one.read(stage_of(4, 3, ms(30'000))).drifts, IsEmpty()) << "the batch holds it";
  const FeedbackNews slower = one.read(stage_of(4, 3, ms(120'000)));
  ASSERT_THAT(slower.drifts, SizeIs(1));
  EXPECT_NEAR(*slower.drifts[0].maps, 12, 0.1);
}

// The profile of a Hive query is of all its applications, and a reading is of one.
TEST(FeedbackNews, ACommandOfManyApplicationsDoesNotDrift) {
  OneJob one;
  one.job().many_applications = true;
  const FeedbackNews news = one.read(stage_of(4, 3, ms(90'000)));
  EXPECT_THAT(news.drifts, IsEmpty());
}

TEST(FeedbackNews, EachQuarterIsToldOnce) {
  OneJob one;
  EXPECT_THAT(one.told(stage_of(8, 3)), IsEmpty()) << "the first reading tells nothing new";
  EXPECT_THAT(one.told(stage_of(8, 3)), IsEmpty());
  EXPECT_THAT(one.told(stage_of(8, 4)), ElementsAre("4 of 8 maps"));
  EXPECT_THAT(one.told(stage_of(8, 5)), IsEmpty());
  EXPECT_THAT(one.told(stage_of(8, 7)), ElementsAre("7 of 8 maps"));
  EXPECT_THAT(one.told(stage_of(8, 8)), IsEmpty()) << "its end is told otherwise";
}

TEST(FeedbackNews, AQuarterIsOfMapsAndReducesTogether) {
  OneJob one;
  EXPECT_THAT(one.told(stage_of(4, 0), stage_of(4, 0)), IsEmpty());
  EXPECT_THAT(one.told(stage_of(4, 1), stage_of(4, 0)), IsEmpty());
  EXPECT_THAT(one.told(stage_of(4, 4), stage_of(4, 0)), ElementsAre("4 of 4 maps, 0 of 4 reduces"));
  EXPECT_THAT(one.told(stage_of(4, 4), stage_of(4, 4)), IsEmpty());
}

// The forecasts of one job that waits, whose run may be faster or slower than its profile.
struct OneForecast : OneJob {
  const OutlookOptions how{.cluster = flat_cluster({1, 1}), .policy = "fifo"};
  FeedbackNews news;

  OneForecast() { job().state = LiveState::waiting; }
  Outlook look() {
    news = {};
    return feedback.look(batch, how, night_began, news);
  }
  std::size_t alarms(Time deadline) {
    job().deadline = deadline;
    (void)look();
    return news.events.size();
  }
};

TEST(FeedbackNews, APromiseIsTheMiddleForecast) {
  OneForecast one;
  one.batch.jobs.push_back(one.job());
  one.batch.jobs[1].id = "behind";
  const Outlook outlook = one.look();
  ASSERT_THAT(one.news.promises, SizeIs(2));
  const Forecast start = *outlook.of("behind")->start;
  EXPECT_LT(start.p50, start.p95);
  EXPECT_EQ(one.news.promises[1].start, start.p50);
  EXPECT_EQ(one.news.promises[1].end, outlook.of("behind")->end->p50);
}

TEST(FeedbackNews, TheStartOfAJobThatRunsIsKnown) {
  OneForecast one;
  one.job().state = LiveState::running;
  one.job().started_at = night_began - ms(7'000);
  (void)one.look();
  ASSERT_THAT(one.news.promises, SizeIs(1));
  EXPECT_EQ(one.news.promises[0].start, night_began - ms(7'000));
  one.job().started_at.reset();
  (void)one.look();
  EXPECT_EQ(one.news.promises[0].start, night_began) << "the list of applications told no time";
}

// It is told where hardly any forecast keeps the deadline, and again only after it was rather safe than not.
TEST(FeedbackNews, ADeadlineAtRiskIsToldAgainAfterItWasSafe) {
  OneForecast one;
  const Forecast end = *one.look().of("etl")->end;
  const Time hopeless = night_began + ms(1'000), unlikely = end.p5 + (end.p50 - end.p5) / 2, safe = end.p95;
  one.job().deadline = unlikely;
  const double share = *one.look().of("etl")->on_time;
  ASSERT_GT(share, 0.05);
  ASSERT_LT(share, 0.5);
  EXPECT_THAT(one.news.events, IsEmpty()) << "it may still be met";
  ASSERT_EQ(one.alarms(hopeless), 1U);
  EXPECT_THAT(one.news.events[0].what, HasSubstr("DeadlineAtRisk"));
  EXPECT_EQ(one.alarms(hopeless), 0U);
  EXPECT_EQ(one.alarms(unlikely), 0U);
  EXPECT_EQ(one.alarms(hopeless), 0U) << "it was never safe";
  EXPECT_EQ(one.alarms(safe), 0U);
  EXPECT_EQ(one.alarms(hopeless), 1U);
}

}  // namespace
}  // namespace wavewright
