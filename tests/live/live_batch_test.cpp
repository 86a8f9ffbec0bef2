#include "wavewright/live/batch/live_batch.h"

#include <gtest/gtest.h>

namespace wavewright {
namespace {

LiveJob job_in(const std::string& id, LiveState state) {
  LiveJob job;
  job.id = id;
  job.state = state;
  return job;
}

TEST(LiveBatch, AJobThatWaitsSaysForWhat) {
  LiveBatch batch;
  batch.jobs = {job_in("etl", LiveState::running),    job_in("copy", LiveState::done),
                job_in("report", LiveState::waiting), job_in("late", LiveState::waiting),
                job_in("first", LiveState::waiting),  job_in("second", LiveState::waiting),
                job_in("held", LiveState::held),      job_in("lost", LiveState::waiting),
                job_in("there", LiveState::accepted)};
  const Time now = at_ms(1'790'000'000'000);
  batch.jobs[2].after = {"etl", "copy", "held"};
  batch.jobs[3].not_before = now + ms(60'000);
  batch.jobs[7].reason = "its command was lost before the cluster had it";
  const auto why = [&](std::size_t job) { return why_it_waits(batch, batch.jobs[job], now); };
  EXPECT_EQ(why(0), "");
  EXPECT_EQ(why(1), "");
  EXPECT_EQ(why(2), "after etl (running), held (held)");
  EXPECT_EQ(why(3).substr(0, 11), "not before ");
  EXPECT_EQ(why(4), "behind 1 other");
  EXPECT_EQ(why(5), "behind 2 others");
  EXPECT_EQ(why(6), "held by its user");
  EXPECT_EQ(why(7), "its command was lost before the cluster had it");
  EXPECT_EQ(why(8), "YARN has it, and has no room for its master yet");
  batch.jobs[2].state = LiveState::done;
  EXPECT_EQ(why(4), "next");
  batch.ordering = {.when = "pnj(5)"};
  EXPECT_EQ(why(4), "in the dispatching queue, pnj(5)");
}

}  // namespace
}  // namespace wavewright
