#include "wavewright/history/to_job.h"

#include "wavewright/job/job.h"

namespace wavewright {
namespace {

Attempt done(std::int64_t start, std::int64_t finish, std::optional<std::int64_t> merged = std::nullopt) {
  Attempt attempt;
  attempt.id = fmt::format("attempt_{}_{}", start, finish);
  attempt.state = AttemptState::succeeded;
  attempt.start = at_ms(start);
  attempt.finish = at_ms(finish);
  if (merged) attempt.sort_finish = at_ms(*merged);
  return attempt;
}

TaskRun task(TaskKind kind, const Attempt& attempt) {
  TaskRun result;
  result.kind = kind;
  result.successful_attempt = attempt.id;
  result.attempts = {attempt};
  return result;
}

JobRun night_job() {
  JobRun run;
  run.id = "job_1_0001";
  run.name = "sort";
  run.state = RunState::succeeded;
  run.submit = at_ms(1'000'000);
  run.tasks = {task(TaskKind::map, done(1'001'000, 1'005'000)),
               task(TaskKind::map, done(1'002'000, 1'010'000)),
               // Started before the last map's end at 1,010,000: 3 s of its shuffle did not overlap.
               task(TaskKind::reduce, done(1'006'000, 1'020'000, 1'013'000)),
               // Started after it: 4 s of shuffle, 5 s of reduce.
               task(TaskKind::reduce, done(1'020'000, 1'029'000, 1'024'000))};
  return run;
}

TEST(ToJob, SplitsReducesAsTheModelDoes) {
  std::string why;
  const auto made = to_job(night_job(), why);
  ASSERT_TRUE(made) << why;
  EXPECT_EQ(made->job.maps, (std::vector{ms(4000), ms(8000)}));
  EXPECT_EQ(made->job.reduces, (std::vector{ms(7000), ms(5000)}));
  EXPECT_EQ(made->job.first_shuffles, (std::vector{ms(3000), ms(3000)}))
      << "the second did not tell: the mean";
  EXPECT_EQ(made->job.shuffles, (std::vector{ms(4000), ms(4000)}));
  EXPECT_EQ(made->imputed_tasks, 0);
}

// By the machines' own clocks a merge may end after its attempt, or an attempt before the last map.
TEST(ToJob, NoPhaseGoesOnBeyondTheFinish) {
  JobRun run = night_job();
  run.tasks[2] = task(TaskKind::reduce, done(1'006'000, 1'020'000, 1'021'000));
  run.tasks[3] = task(TaskKind::reduce, done(1'006'000, 1'009'000, 1'008'000));
  std::string why;
  const auto made = to_job(run, why);
  ASSERT_TRUE(made) << why;
  // From the last map's end at 1,010,000 to the attempt's own at 1,020,000; nothing of the other is left.
  EXPECT_EQ(made->job.first_shuffles, (std::vector{ms(10'000), ms(0)}));
  EXPECT_EQ(made->job.reduces, (std::vector{ms(0), ms(0)}));
}

TEST(ToJob, OnlyTheWinningAttemptCounts) {
  JobRun run = night_job();
  Attempt lost = done(1'001'000, 1'009'000);
  lost.state = AttemptState::killed;
  Attempt failed = done(1'001'000, 1'001'500);
  failed.state = AttemptState::failed;
  run.tasks[0].attempts.insert(run.tasks[0].attempts.begin(), {failed, lost});
  std::string why;
  const auto made = to_job(run, why);
  ASSERT_TRUE(made) << why;
  EXPECT_EQ(made->job.maps[0], ms(4000));
}

TEST(ToJob, MissingTimesAreTheMeanOfTheOthersAndCounted) {
  JobRun run = night_job();
  run.tasks.push_back(task(TaskKind::map, {}));
  std::string why;
  const auto made = to_job(run, why);
  ASSERT_TRUE(made) << why;
  EXPECT_EQ(made->job.maps[2], ms(6000));
  EXPECT_EQ(made->imputed_tasks, 1);
}

TEST(ToJob, SaysWhyARunIsNoJob) {
  std::string why;
  JobRun failed = night_job();
  failed.state = RunState::failed;
  EXPECT_FALSE(to_job(failed, why));
  EXPECT_EQ(why, "did not succeed");
  JobRun unsubmitted = night_job();
  unsubmitted.submit.reset();
  EXPECT_FALSE(to_job(unsubmitted, why));
  EXPECT_EQ(why, "does not tell when it was submitted");
  JobRun untimed = night_job();
  for (TaskRun& each : untimed.tasks) each.attempts.clear();
  EXPECT_FALSE(to_job(untimed, why));
  EXPECT_EQ(why, "tells no task's times");
}

TEST(ToJob, ABatchCountsFromItsEarliestSubmission) {
  std::vector<Job> jobs(3);
  jobs[0].id = jobs[1].id = jobs[2].id = "job_1";
  jobs[0].submit = at_ms(5000);
  jobs[1].submit = at_ms(3000);
  jobs[2].submit = at_ms(9000);
  const Workload workload = to_workload(std::move(jobs));
  EXPECT_EQ(workload.jobs[0].submit, at_ms(0));
  EXPECT_EQ(workload.jobs[2].submit, at_ms(6000));
  EXPECT_EQ(workload.jobs[1].id, "job_1-2");
  check(workload, "test");  // usable as it is
}

}  // namespace
}  // namespace wavewright
