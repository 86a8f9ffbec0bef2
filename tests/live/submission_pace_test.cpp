#include "wavewright/live/submission/submission_pace.h"

#include <gtest/gtest.h>

#include <set>

namespace wavewright {
namespace {

LiveJob submitted(std::int64_t at, std::int64_t accepted, int attempts = 1) {
  LiveJob job;
  job.attempts = attempts;
  job.submitting_since = at_ms(at);
  job.accepted_at = at_ms(accepted);
  return job;
}

TEST(SubmissionPace, IsTheMedianOfJobsThatWaitedForNothingElse) {
  LiveBatch batch;
  batch.jobs = {submitted(1'000, 4'000), submitted(5'000, 9'000), submitted(10'000, 12'500),
                submitted(900'000, 904'000),      // after a pause: no time between two commands
                submitted(905'000, 905'900, 2)};  // its second attempt: of that no time is known
  const SubmissionPace pace = learn_pace(std::vector<LiveBatch>{batch});
  EXPECT_EQ(
      pace,
      (SubmissionPace{
          ms(4'000), ms(5'000), 4, {ms(2'500), ms(3'000), ms(4'000), ms(4'000)}, {ms(4'000), ms(5'000)}}));
  EXPECT_EQ(learn_pace({}).jobs, 0U);
}

TEST(SubmissionPace, JobsReachTheClusterOneAfterAnother) {
  Workload workload;
  workload.jobs.resize(4);
  workload.jobs[1].submit = at_ms(60'000);
  workload.jobs[2].after = {"a"};
  const Workload at = paced(workload, {ms(3'000), ms(5'000), 1});
  EXPECT_EQ(at.jobs[0].submit, at_ms(3'000));
  EXPECT_EQ(at.jobs[1].submit, at_ms(63'000));
  EXPECT_EQ(at.jobs[2].submit, Time{}) << "it is submitted when the job before it is done";
  EXPECT_EQ(at.jobs[3].submit, at_ms(68'000));
}

TEST(SubmissionPace, DrawsEachTimeFromThoseSeen) {
  SubmissionPace pace{ms(3'000), ms(5'000), 4, {ms(2'000), ms(4'000)}, {ms(5'000), ms(7'000)}};
  Workload workload;
  workload.jobs.resize(2);
  std::set<std::int64_t> first, second;
  for (std::uint64_t i = 0; i < 100; ++i) {
    Random random(1, "pace", i);
    const Workload at = paced(workload, pace, random);
    first.insert(to_ms(at.jobs[0].submit));
    second.insert(to_ms(at.jobs[1].submit));
  }
  EXPECT_EQ(first, (std::set<std::int64_t>{2'000, 4'000}));
  EXPECT_EQ(second, (std::set<std::int64_t>{7'000, 9'000, 11'000}));
}

}  // namespace
}  // namespace wavewright
