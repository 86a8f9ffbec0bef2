#include "wavewright/report/measured.h"

#include <gmock/gmock.h>

namespace wavewright {
namespace {

using ::testing::HasSubstr;

Attempt attempt(std::int32_t number, std::int64_t start, std::int64_t finish, AttemptState state) {
  Attempt of;
  of.number = number;
  of.state = state;
  of.start = at_ms(start);
  of.finish = at_ms(finish);
  return of;
}

TaskRun task(TaskKind kind, std::int32_t number, std::int64_t start, std::int64_t finish,
             AttemptState state = AttemptState::succeeded) {
  TaskRun of;
  of.kind = kind;
  of.number = number;
  of.attempts = {attempt(0, start, finish, state)};
  return of;
}

// Two maps at once and a reduce; then a second run, whose map starts when the first run's second one ends.
std::vector<JobRun> two_runs() {
  std::vector<JobRun> runs(2);
  runs[0].submit = at_ms(1000);
  runs[0].finish = at_ms(9000);
  runs[0].tasks = {task(TaskKind::map, 0, 2000, 6000), task(TaskKind::map, 1, 2000, 4000),
                   task(TaskKind::reduce, 0, 6000, 9000), task(TaskKind::setup, 0, 1000, 2000)};
  runs[1].submit = at_ms(3000);
  runs[1].finish = at_ms(8000);
  runs[1].tasks = {task(TaskKind::map, 0, 4000, 7000, AttemptState::failed)};
  runs[1].tasks[0].attempts.push_back(attempt(1, 7000, 8000, AttemptState::succeeded));
  return runs;
}

TEST(MeasuredSchedule, StartsWithTheFirstSubmissionAndEndsWithTheLastRun) {
  const std::optional<ReportSchedule> found = measured_schedule(two_runs());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->result.makespan, ms(8000));
  EXPECT_EQ(found->result.total_completion, ms(8000 + 5000));
  EXPECT_EQ(found->result.jobs[0].maps_done, at_ms(5000));
  EXPECT_EQ(found->result.jobs[1].submit, at_ms(2000));
  EXPECT_EQ(found->result.jobs[1].finish, at_ms(7000));
  EXPECT_THAT(found->note, HasSubstr("at most 2 maps and 1 reduce at once"));
  EXPECT_THAT(found->note, HasSubstr("jobs submitted over 2s"));
}

TEST(MeasuredSchedule, AnAttemptTakesTheLowestSlotThatIsFree) {
  const std::optional<ReportSchedule> found = measured_schedule(two_runs());
  ASSERT_TRUE(found && found->pool);
  EXPECT_EQ(*found->pool, (SlotPool{2, 1}));
  ASSERT_EQ(found->result.trace.size(), 5U);  // without the setup task
  EXPECT_EQ(found->result.trace[2].start, at_ms(3000));
  EXPECT_EQ(found->result.trace[2].slot, 1U);  // free since that instant
  EXPECT_EQ(found->result.trace[2].outcome, AttemptOutcome::failed);
  EXPECT_EQ(found->result.trace[3].slot, 0U);
}

TEST(MeasuredSchedule, OfRunsWithoutSubmissionOrEndThereIsNone) {
  EXPECT_FALSE(measured_schedule({}));
  std::vector<JobRun> runs = two_runs();
  runs[1].finish.reset();
  EXPECT_FALSE(measured_schedule(runs));
  runs = two_runs();
  runs[0].submit.reset();
  EXPECT_FALSE(measured_schedule(runs));
}

TEST(MeasuredSchedule, AttemptsWithoutTimesAreLeftOut) {
  std::vector<JobRun> runs = two_runs();
  runs[0].tasks[0].attempts[0].finish.reset();
  const std::optional<ReportSchedule> found = measured_schedule(runs);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->result.trace.size(), 4U);
}

}  // namespace
}  // namespace wavewright
