// When the jobs of a daemon's queue are checked: each once, when the queue has run empty or after a long
// time.
#include "wavewright/live/outlook/queue_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using ::testing::ElementsAre;

constexpr Time began = at_ms(1'700'000'000'000);
constexpr Duration day = ms(24 * 3'600'000LL);

LiveJob job_of(const std::string& id, LiveState state) {
  LiveJob job;
  job.id = id;
  job.state = state;
  job.deadline = began + ms(1'000);
  if (has_ended(state)) job.ended_at = began + ms(2'000);
  return job;
}

LiveBatch queue_of(std::vector<LiveJob> jobs) {
  LiveBatch queue;
  queue.name = "queue";
  queue.began = began;
  queue.endless = true;
  queue.jobs = std::move(jobs);
  return queue;
}

LiveEvent event(const std::string& job, const std::string& what) {
  return {began, job, what, ""};
}

std::optional<LiveJob> none(const std::string& /*id*/) {
  return std::nullopt;
}

std::vector<std::string> ids(const std::optional<NightCheck>& night) {
  std::vector<std::string> found;
  if (!night) return {"no check"};
  for (const CheckedJob& job : night->jobs) found.push_back(job.id);
  return found;
}

TEST(QueueCheck, IsDueWhenAllHaveEndedAndTakesEachJobOnce) {
  QueueCheck check({});
  const LiveJob a = job_of("a", LiveState::done), b = job_of("b", LiveState::failed);
  EXPECT_THAT(ids(check.due(queue_of({}), none, began)), ElementsAre("no check"));
  check.take({event("a", "Running"), event("a", "Done"), event("b", "Running")});
  EXPECT_THAT(ids(check.due(queue_of({a, job_of("b", LiveState::running)}), none, began)),
              ElementsAre("no check"));
  check.take({event("b", "Failed")});
  const auto night = check.due(queue_of({a, b, job_of("before", LiveState::done)}), none, began + ms(5'000));
  EXPECT_THAT(ids(night), ElementsAre("a", "b"));
  EXPECT_EQ(night->broken, 2U);
  EXPECT_THAT(ids(check.due(queue_of({a, b}), none, began)), ElementsAre("no check"));
  check.take({event("c", "Cancelled"), event("d", "Unknown")});
  EXPECT_THAT(ids(check.due(queue_of({a, job_of("c", LiveState::cancelled), job_of("d", LiveState::unknown)}),
                            none, began)),
              ElementsAre("c", "d"));
}

TEST(QueueCheck, IsDueAfterADayInWhichTheQueueWasNeverEmpty) {
  QueueCheck check({});
  const LiveBatch queue = queue_of({job_of("a", LiveState::done), job_of("b", LiveState::waiting)});
  EXPECT_THAT(ids(check.due(queue, none, began - day)), ElementsAre("no check")) << "nothing has ended";
  EXPECT_THAT(ids(check.due(queue, none, began)), ElementsAre("no check"));
  check.take({event("a", "Done")});
  EXPECT_THAT(ids(check.due(queue, none, began + day - ms(1))), ElementsAre("no check"));
  EXPECT_THAT(ids(check.due(queue, none, began + day)), ElementsAre("a"));
  check.take({event("a", "Done")});
  EXPECT_THAT(ids(check.due(queue, none, began + day + ms(1))), ElementsAre("no check"));
}

TEST(QueueCheck, IsDueAfterManyEnds) {
  QueueCheck check({});
  const LiveBatch queue = queue_of({job_of("open", LiveState::waiting)});
  std::vector<LiveEvent> ends;
  for (std::size_t i = 1; i < QueueCheck::most_unchecked; ++i)
    ends.push_back(event(std::to_string(i), "Done"));
  check.take(ends);
  EXPECT_FALSE(check.due(queue, none, began));
  check.take({event("last", "Done")});
  EXPECT_TRUE(check.due(queue, none, began));
}

TEST(QueueCheck, GoesOnBehindTheLastCheckOfTheLog) {
  QueueCheck check({event("a", "Done"), event("", queue_checked), event("b", "Done"), event("", "Led")});
  const LiveBatch queue = queue_of({job_of("a", LiveState::done), job_of("b", LiveState::done)});
  EXPECT_THAT(ids(check.due(queue, none, began)), ElementsAre("b"));
}

// Jobs that have left the queue are asked for; where nobody can tell of them now, the check is still due.
TEST(QueueCheck, KnowsJobsOfTheArchive) {
  QueueCheck check({event("a", "Done"), event("b", "Done"), event("gone", "Done")});
  const LiveBatch queue = queue_of({job_of("b", LiveState::done)});
  const auto away = [](const std::string&) -> std::optional<LiveJob> {
    throw ExternalError({"store"}, "is away");
  };
  EXPECT_THROW((void)check.due(queue, away, began), ExternalError);
  const auto archived = [](const std::string& id) {
    return id == "a" ? std::optional(job_of("a", LiveState::done)) : std::nullopt;
  };
  EXPECT_THAT(ids(check.due(queue, archived, began)), ElementsAre("b", "a"));
}

}  // namespace
}  // namespace wavewright
