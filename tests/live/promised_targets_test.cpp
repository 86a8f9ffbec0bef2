#include "wavewright/live/promise/promised_targets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wavewright {
namespace {

using ::testing::ElementsAre;

LiveJob job_of(const std::string& tag, Count maps, Count reduces, std::optional<std::int64_t> promised_by,
               LiveState state = LiveState::running) {
  LiveJob job;
  job.id = job.tag = tag;
  job.state = state;
  job.bounds = TaskBounds{maps, reduces, ms(1), ms(1)};
  if (promised_by) {
    job.deadline = at_ms(*promised_by);
    job.promise = DeadlinePromise{};
  }
  return job;
}

std::vector<std::string> told(const LiveBatch& batch, const ProgressByJob& progress = {},
                              Time now = at_ms(0)) {
  std::vector<std::string> texts;
  for (const auto& [tag, target] : promised_targets(batch, progress, {10, 4}, now)) {
    EXPECT_EQ(target.map_rank, target.reduce_rank);
    EXPECT_EQ(static_cast<std::size_t>(target.map_rank), texts.size());
    texts.push_back(tag + " " + std::to_string(*target.maps) + "+" + std::to_string(*target.reduces));
  }
  return texts;
}

TEST(PromisedTargets, PromisedJobsComeByTheirDeadlinesAndTheRestLast) {
  LiveBatch batch;
  batch.jobs = {job_of("other", 3, 1, {}), job_of("late", 4, 1, 900), job_of("soon", 3, 2, 500)};
  EXPECT_THAT(told(batch), ElementsAre("soon 10+4", "late 7+2", "other 3+1"));
}

TEST(PromisedTargets, TasksThatAreDoneLeaveTheirSlots) {
  LiveBatch batch;
  batch.jobs = {job_of("soon", 30, 3, 500), job_of("late", 4, 1, 900)};
  EXPECT_THAT(told(batch), ElementsAre("soon 10+4", "late 0+1"));
  ProgressByJob progress;
  progress["soon"].maps = {.total = 30, .done = 24, .running = 6};
  progress["soon"].reduces = {.total = 3, .done = 0, .running = 3};
  EXPECT_THAT(told(batch, progress), ElementsAre("soon 10+4", "late 4+1"));
  progress["soon"].maps = {.total = 40, .done = 24, .running = 6};
  EXPECT_THAT(told(batch, progress), ElementsAre("soon 10+4", "late 0+1")) << "it has more than was expected";
}

TEST(PromisedTargets, SlotsAreKeptFromThePromiseOn) {
  LiveBatch batch;
  batch.jobs = {job_of("soon", 8, 4, 500, LiveState::waiting), job_of("other", 9, 9, {})};
  EXPECT_THAT(told(batch), ElementsAre("soon 10+4", "other 2+0"));
  batch.jobs[0].state = LiveState::done;
  EXPECT_THAT(told(batch), ElementsAre("other 10+4"));
}

TEST(PromisedTargets, OthersKeepNothingBeforeTheyAreThere) {
  LiveBatch batch;
  batch.jobs = {job_of("waits", 8, 2, {}, LiveState::waiting), job_of("runs", 9, 1, {})};
  EXPECT_THAT(told(batch), ElementsAre("waits 10+4", "runs 10+4"));
  batch.jobs[0].state = LiveState::submitting;
  EXPECT_THAT(told(batch), ElementsAre("waits 10+4", "runs 2+2"));
  batch.jobs[0].bounds.reset();
  EXPECT_THAT(told(batch), ElementsAre("waits 10+4", "runs 0+0")) << "nobody knows how much it wants";
}

TEST(PromisedTargets, NothingIsKeptForAJobThatIsHeldAfterItsDeadline) {
  LiveBatch batch;
  batch.jobs = {job_of("held", 8, 4, 100, LiveState::held), job_of("other", 9, 9, {})};
  EXPECT_THAT(told(batch, {}, at_ms(100)), ElementsAre("held 10+4", "other 2+0"));
  EXPECT_THAT(told(batch, {}, at_ms(101)), ElementsAre("held 10+4", "other 10+4"));
  batch.jobs[0].state = LiveState::waiting;
  EXPECT_THAT(told(batch, {}, at_ms(101)), ElementsAre("held 10+4", "other 2+0")) << "released";
}

TEST(PromisedTargets, NothingIsKeptForAJobWhoseMastersNodeIsLost) {
  LiveBatch batch;
  batch.jobs = {job_of("soon", 8, 4, 500), job_of("other", 9, 9, {})};
  ProgressByJob progress;
  progress["soon"].maps.total = 8;
  progress["soon"].reduces.total = 4;
  progress["soon"].master_node = MasterNode::silent;
  EXPECT_THAT(told(batch, progress), ElementsAre("soon 10+4", "other 2+0")) << "it may just be busy";
  progress["soon"].master_node = MasterNode::lost;
  EXPECT_THAT(told(batch, progress), ElementsAre("soon 10+4", "other 10+4"));
}

TEST(PromisedTargets, CapsOfAPlanStay) {
  LiveBatch batch;
  batch.jobs = {job_of("a", 3, 1, 500), job_of("b", 3, 1, {})};
  batch.jobs[0].target = LiveTarget{7, 7, 2, {}};
  batch.jobs[1].target = LiveTarget{0, 0, 99, 1};
  EXPECT_THAT(told(batch), ElementsAre("a 2+4", "b 7+1"));
}

}  // namespace
}  // namespace wavewright
