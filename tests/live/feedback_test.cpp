// Drift of running jobs, over a simulated cluster: the real driver, the real dispatching queue.
#include "wavewright/live/outlook/feedback.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/live/simulated_cluster.h"
#include "tests/live/simulated_journal.h"
#include "wavewright/live/batch/batch_driver.h"

namespace wavewright {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Three jobs of a profile whose maps take 10 s; `slow` really takes `length`. Two others wait with it.
struct Night {
  SimulatedCluster cluster;
  SimulatedJournal journal{cluster};
  BatchDriver driver;
  ProgressFeedback feedback;

  static LiveBatch batch(std::optional<LiveOrdering> ordering) {
    LiveBatch batch;
    batch.name = "nightly";
    batch.tag = "run";
    batch.ordering = std::move(ordering);
    // By their expected lengths `alike` goes before `other`; if it takes three times as long, behind it.
    for (const auto& [id, profile, maps] :
         {std::tuple{"slow", "etl", 4}, {"alike", "etl", 5}, {"other", "report", 8}}) {
      LiveJob job;
      job.id = id;
      job.profile = profile;
      job.tag = std::string("tag-") + id;
      job.command = {"submit", id};
      job.maps = {maps, ms(10'000)};
      const auto rank = static_cast<std::int64_t>(batch.jobs.size());
      if (batch.ordering && !batch.has_queue()) job.target = LiveTarget{rank, rank, {}, {}};
      batch.jobs.push_back(job);
    }
    return batch;
  }
  static std::shared_ptr<const LengthModel> profile(const LiveJob&) {
    LengthModel model = fixed_lengths(ms(10'000), {});
    model.runs = 12;
    model.maps.between = 0.05;
    model.maps.freedom = 16;
    return std::make_shared<const LengthModel>(std::move(model));
  }

  Night(Duration length, std::optional<LiveOrdering> ordering)
      : cluster(1, batch(std::move(ordering)),
                {{.maps = 4, .map_length = length},
                 {.maps = 5, .map_length = length},
                 {.maps = 8, .map_length = ms(10'000)}},
                {}, {}),
        driver(journal, cluster, cluster, {.most_at_once = 1}),
        feedback(cluster, profile) {}

  void step() {
    driver.step();
    const FeedbackNews news = feedback.poll(cluster.written(), cluster.wall(), cluster.steady());
    for (const FoundEvent& each : news.events) driver.note(each.job, each.what, each.detail);
    for (const FoundDrift& each : news.drifts) driver.drifted(each.job, each.maps, each.reduces, each.detail);
    if (!news.drifts.empty()) driver.replan(news.idle);
    cluster.advance(ms(1'000));
  }
  void run() {
    for (int i = 0; i < 4'000 && !driver.finished(); ++i) step();
    ASSERT_TRUE(driver.finished());
    cluster.check_end();
    EXPECT_EQ(cluster.violation(), "");
  }
  [[nodiscard]] std::vector<LiveEvent> events(const std::string& what) const {
    std::vector<LiveEvent> found;
    for (const LiveEvent& event : cluster.log()) {
      if (event.what == what) found.push_back(event);
    }
    return found;
  }
};

LiveOrdering shortest_first() {
  LiveOrdering ordering;
  ordering.when = "pnj(1)";
  ordering.objective = Objective::total_completion;
  ordering.pool = {1, 1};
  return ordering;
}

TEST(ProgressFeedback, AJobAsExpectedDoesNotDrift) {
  Night night(ms(10'500), shortest_first());
  night.run();
  EXPECT_TRUE(night.events("Drifted").empty());
  EXPECT_THAT(night.cluster.accepted(), ElementsAre("slow", "alike", "other"));
}

TEST(ProgressFeedback, ADriftIsWrittenOnceAndReordersWhatWaits) {
  Night night(ms(30'000), shortest_first());
  night.run();
  const std::vector<LiveEvent> drifts = night.events("Drifted");
  ASSERT_EQ(drifts.size(), 1U) << "the job after it, of the same profile, is as expected by then";
  EXPECT_EQ(drifts[0].job, "slow");
  EXPECT_THAT(drifts[0].detail, HasSubstr("its maps take 3.0 times as long as expected, by 3 that are done"));
  EXPECT_THAT(night.cluster.accepted(), ElementsAre("slow", "other", "alike"));
  for (const LiveJob& job : night.cluster.written().jobs) {
    EXPECT_EQ(job.map_drift.has_value(), job.profile == "etl") << job.id;
    if (job.map_drift) {
      EXPECT_NEAR(static_cast<double>(job.maps.mean.count()), 30'000, 1'500);
    }
  }
}

TEST(ProgressFeedback, AFastJobDriftsToo) {
  Night night(ms(4'000), shortest_first());
  night.run();
  ASSERT_EQ(night.events("Drifted").size(), 1U);
  EXPECT_THAT(night.events("Drifted")[0].detail,
              HasSubstr("its maps take 40 % of the time that was expected"));
}

TEST(ProgressFeedback, WithoutADispatchingQueueThereIsTheEventAlone) {
  Night night(ms(30'000), std::nullopt);
  night.run();
  EXPECT_EQ(night.events("Drifted").size(), 1U);
  EXPECT_THAT(night.cluster.accepted(), ElementsAre("slow", "alike", "other"));
}

TEST(ProgressFeedback, ADriftIsAnOccasionToPlanAnew) {
  LiveOrdering ordering = shortest_first();
  ordering.when = when_drifted;
  Night night(ms(30'000), ordering);
  night.run();
  EXPECT_EQ(night.events("Drifted").size(), 1U);
  ASSERT_EQ(night.events("Replanned").size(), 1U);
  EXPECT_EQ(night.events("Replanned")[0].detail, "next other, alike");
  EXPECT_THAT(night.cluster.accepted(), ElementsAre("slow", "other", "alike"));
}

TEST(ProgressFeedback, TellsTheQuartersOfAJob) {
  Night night(ms(10'000), std::nullopt);
  night.run();
  std::vector<std::string> told;
  for (const LiveEvent& event : night.events("Progress")) {
    if (event.job == "slow") told.push_back(event.detail);
  }
  EXPECT_THAT(told, ElementsAre("1 of 4 maps", "2 of 4 maps", "3 of 4 maps"));
}

TEST(ProgressFeedback, PromisesOnceAndTellsOfADeadlineOnce) {
  Night night(ms(30'000), std::nullopt);
  night.driver.step();
  LiveBatch batch = night.cluster.written();
  const Time now = night.cluster.wall();
  batch.jobs[1].deadline = now + ms(1'000);
  batch.jobs[2].expected_end = now;
  FeedbackNews news;
  const OutlookOptions how{.cluster = flat_cluster({1, 1}), .policy = "fifo"};
  const Outlook outlook = night.feedback.look(batch, how, now, news);
  ASSERT_EQ(news.promises.size(), 2U);
  EXPECT_EQ(news.promises[0].job, "slow");
  EXPECT_EQ(news.promises[1].end, outlook.of("alike")->end->p50);
  ASSERT_EQ(news.events.size(), 1U);
  EXPECT_EQ(news.events[0].job, "alike");
  EXPECT_EQ(news.events[0].what, std::string("DeadlineAtRisk"));
  (void)night.feedback.look(batch, how, now, news);
  EXPECT_EQ(news.events.size(), 1U);
}

}  // namespace
}  // namespace wavewright
