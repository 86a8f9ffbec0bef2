#include "wavewright/live/outlook/night_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wavewright/live/outlook/outlook_store.h"

namespace wavewright {
namespace {

using ::testing::HasSubstr;

constexpr Time began = at_ms(1'700'000'000'000);

LiveJob job_of(const std::string& id, int start, int end, int promised_start, int promised_end) {
  LiveJob job;
  job.id = id;
  job.profile = "etl";
  job.state = LiveState::done;
  job.applications = {"application_1_" + id};
  job.started_at = began + ms(1'000 * start);
  job.ended_at = began + ms(1'000 * end);
  job.expected_start = began + ms(1'000 * promised_start);
  job.expected_end = began + ms(1'000 * promised_end);
  return job;
}

LiveBatch batch_of(std::vector<LiveJob> jobs) {
  LiveBatch batch;
  batch.name = "night";
  batch.began = began;
  batch.jobs = std::move(jobs);
  return batch;
}

TEST(NightCheck, ComparesEachEndWithItsPromise) {
  const NightCheck night = check_night(
      batch_of({job_of("good", 10, 112, 10, 110), job_of("late", 10, 260, 10, 210)}), {}, began, began);
  ASSERT_EQ(night.jobs.size(), 2U);
  EXPECT_EQ(night.jobs[0].off, ms(2'000));
  EXPECT_NEAR(*night.jobs[0].error, 0.02, 1e-9);
  EXPECT_EQ(night.jobs[0].why, "");
  EXPECT_EQ(night.jobs[1].off, ms(50'000));
  EXPECT_NEAR(*night.jobs[1].error, 0.25, 1e-9);
  EXPECT_EQ(night.jobs[1].why, "ran 50s longer");
  EXPECT_NEAR(night.mean_error, 0.135, 1e-9);
  EXPECT_EQ(night.promised, ms(210'000));
  EXPECT_EQ(night.took, ms(260'000));
  EXPECT_EQ(night.broken, 0U);
}

TEST(NightCheck, SaysWhyAnEndIsOff) {
  LiveJob waited = job_of("waited", 100, 200, 10, 110), drifted = job_of("drifted", 10, 310, 10, 110);
  drifted.map_drift = 2.5;
  LiveJob retried = job_of("retried", 10, 150, 10, 110);
  retried.attempts = 2;
  const NightCheck night =
      check_night(batch_of({waited, drifted, retried}), {{"retried", {began + ms(12'000), 3}}}, began, began);
  EXPECT_EQ(night.jobs[0].why, "waited 1m30s longer");
  EXPECT_EQ(night.jobs[1].why, "ran 3m20s longer, its maps took 2.5 times as long");
  EXPECT_EQ(night.jobs[2].why, "ran 38s longer, 3 failed attempts, submitted at the 2. attempt");
  EXPECT_EQ(night.jobs[2].start, began + ms(12'000));
}

// A difference is small up to 5 s, and up to a twentieth of the promised length. A part of it is named if it
// is at least a quarter.
TEST(NightCheck, ExplainsWhatIsMuch) {
  struct Case {
    int start, end, promised_start, promised_end;  // s
    const char* why;
  };
  const std::vector<Case> cases = {{10, 25, 10, 20, ""},
                                   {10, 15, 10, 20, ""},
                                   {10, 136, 10, 130, ""},
                                   {10, 137, 10, 130, "ran 7s longer"},
                                   {10, 120, 10, 110, "ran 10s longer"},
                                   {10, 60, 10, 110, "ran 50s less"},
                                   {19, 150, 10, 110, "ran 31s longer"},
                                   {20, 150, 10, 110, "waited 10s longer, ran 30s longer"},
                                   {40, 150, 10, 110, "waited 30s longer, ran 10s longer"},
                                   {41, 150, 10, 110, "waited 31s longer"},
                                   {50, 130, 10, 110, "waited 40s longer, ran 20s less"}};
  for (const Case& each : cases) {
    const LiveJob job = job_of("etl", each.start, each.end, each.promised_start, each.promised_end);
    EXPECT_EQ(check_night(batch_of({job}), {}, began, began).jobs[0].why, each.why)
        << each.start << " to " << each.end;
  }
}

// Attempts that failed cost time: they explain no early end.
TEST(NightCheck, FailedAttemptsExplainALateEnd) {
  const NightCheck night =
      check_night(batch_of({job_of("late", 10, 150, 10, 110), job_of("early", 10, 70, 10, 110)}),
                  {{"late", {std::nullopt, 1}}, {"early", {std::nullopt, 2}}}, began, began);
  EXPECT_EQ(night.jobs[0].why, "ran 40s longer, 1 failed attempt");
  EXPECT_EQ(night.jobs[1].why, "ran 40s less");
}

// A quarter longer and 15 % less are 20 % in the mean. A promise without a length has no such error.
TEST(NightCheck, ErrorsAreOfThePromisedLength) {
  LiveJob no_start = job_of("no start", 10, 300, 10, 110);
  no_start.expected_start.reset();
  const LiveJob at_once = job_of("at once", 10, 300, 110, 110);
  const NightCheck night = check_night(
      batch_of({job_of("longer", 10, 135, 10, 110), job_of("less", 10, 95, 10, 110), no_start, at_once}), {},
      began, began);
  EXPECT_NEAR(*night.jobs[0].error, 0.25, 1e-9);
  EXPECT_NEAR(*night.jobs[1].error, -0.15, 1e-9);
  EXPECT_EQ(night.jobs[2].error, std::nullopt);
  EXPECT_EQ(night.jobs[2].off, ms(190'000));
  EXPECT_EQ(night.jobs[3].error, std::nullopt);
  EXPECT_EQ(night.checked, 2U);
  EXPECT_NEAR(night.mean_error, 0.2, 1e-9);
  EXPECT_EQ(check_night(batch_of({no_start}), {}, began, began).mean_error, 0);
}

TEST(NightCheck, AnEndAtTheDeadlineMeetsIt) {
  LiveJob job = job_of("etl", 10, 100, 10, 90);
  job.deadline = job.ended_at;
  EXPECT_EQ(check_night(batch_of({job}), {}, began, began).jobs[0].deadline_met, true);
  job.deadline = *job.ended_at - ms(1);
  EXPECT_EQ(check_night(batch_of({job}), {}, began, began).jobs[0].deadline_met, false);
}

TEST(NightCheck, ADeadlineIsBrokenByLateFailedAndOverdueJobs) {
  LiveJob kept = job_of("kept", 10, 100, 10, 90), late = job_of("late", 10, 200, 10, 90), failed = late,
          overdue = late, open = late;
  for (LiveJob* job : {&kept, &late, &failed, &overdue, &open}) job->deadline = began + ms(150'000);
  failed.id = "failed";
  failed.state = LiveState::failed;
  failed.ended_at = began + ms(50'000);
  overdue.id = "overdue";
  overdue.state = LiveState::running;
  overdue.ended_at.reset();
  open = overdue;
  open.id = "open";
  open.deadline = began + ms(900'000);
  const NightCheck night =
      check_night(batch_of({kept, late, failed, overdue, open}), {}, began, began + ms(300'000));
  EXPECT_EQ(night.jobs[0].deadline_met, true);
  EXPECT_EQ(night.jobs[1].deadline_met, false);
  EXPECT_EQ(night.jobs[2].deadline_met, false);
  EXPECT_EQ(night.jobs[3].deadline_met, false);
  EXPECT_EQ(night.jobs[4].deadline_met, std::nullopt);
  EXPECT_EQ(night.broken, 3U);
  EXPECT_EQ(night.checked, 2U) << "a failed job says nothing of the estimate";
  EXPECT_EQ(night.took, std::nullopt);
}

TEST(NightCheck, OfAQueueWithoutEndOnlyWhatEndedSince) {
  LiveBatch batch = batch_of({job_of("old", 10, 100, 10, 90), job_of("new", 10, 200, 10, 90)});
  batch.endless = true;
  const NightCheck night = check_night(batch, {}, began + ms(150'000), began + ms(300'000));
  ASSERT_EQ(night.jobs.size(), 1U);
  EXPECT_EQ(night.jobs[0].id, "new");
  EXPECT_EQ(night.promised, std::nullopt) << "more jobs may come";
  EXPECT_EQ(night.took, std::nullopt);
  EXPECT_EQ(check_night(batch, {}, began + ms(200'000), began + ms(300'000)).jobs.size(), 1U)
      << "it ended at that very time";
}

TEST(NightCheck, TheWholeIsKnownIfEachJobIs) {
  const LiveJob etl = job_of("etl", 10, 100, 10, 90);
  LiveJob unpromised = job_of("report", 10, 120, 10, 110);
  unpromised.expected_end.reset();
  EXPECT_EQ(check_night(batch_of({etl, unpromised}), {}, began, began).promised, std::nullopt);
  LiveJob cancelled = job_of("copy", 10, 500, 10, 110);  // long after, before it had an application
  cancelled.state = LiveState::cancelled;
  cancelled.applications.clear();
  const NightCheck night = check_night(batch_of({etl, cancelled}), {}, began, began);
  EXPECT_EQ(night.promised, ms(110'000));
  EXPECT_EQ(night.took, ms(100'000)) << "until the last end on the cluster";
}

TEST(KeptPromise, CountsTheRunAlone) {
  LiveJob job = job_of("a", 20, 140, 10, 110);
  const auto promise = kept_promise(job, began + ms(30'000));
  ASSERT_TRUE(promise);
  EXPECT_EQ(promise->expected, ms(100'000));
  EXPECT_EQ(promise->measured, ms(110'000));
  EXPECT_NEAR(promise->error(), 0.1, 1e-9);
  job.state = LiveState::failed;
  EXPECT_FALSE(kept_promise(job, std::nullopt));
  job.state = LiveState::done;
  job.profile.clear();
  EXPECT_FALSE(kept_promise(job, std::nullopt));
}

}  // namespace
}  // namespace wavewright
