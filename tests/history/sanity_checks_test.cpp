#include "wavewright/history/sanity_checks.h"
#include "wavewright/history/limits.h"

#include <fmt/format.h>

#include "wavewright/history/clocks.h"

namespace wavewright {
namespace {

TaskRun map_on(const std::string& node, int number, std::int64_t start, std::int64_t finish) {
  Attempt attempt;
  attempt.id = fmt::format("attempt_1_0001_m_{:06}_0", number);
  attempt.state = AttemptState::succeeded;
  attempt.start = at_ms(start);
  attempt.finish = at_ms(finish);
  attempt.node = node;
  TaskRun task;
  task.id = fmt::format("task_1_0001_m_{:06}", number);
  task.number = number;
  task.state = AttemptState::succeeded;
  task.start = at_ms(start - 500);
  task.finish = at_ms(finish + 800);  // the master hears of it with the next heartbeat
  task.successful_attempt = attempt.id;
  task.attempts = {attempt};
  return task;
}

TaskRun reduce_on(const std::string& node, std::int64_t start, std::int64_t shuffled, std::int64_t finish) {
  TaskRun task = map_on(node, 0, start, finish);
  task.id = "task_1_0001_r_000000";
  task.kind = TaskKind::reduce;
  task.attempts[0].id = task.successful_attempt = "attempt_1_0001_r_000000_0";
  task.attempts[0].shuffle_finish = task.attempts[0].sort_finish = at_ms(shuffled);
  return task;
}

// Submitted at 1,000 s; six maps of 20 s on two nodes and a reduce, done at 1,100 s.
JobRun sound_run() {
  JobRun run;
  run.id = "job_1_0001";
  run.state = RunState::succeeded;
  run.submit = at_ms(1'000'000);
  run.finish = at_ms(1'100'000);
  run.total_maps = 6;
  run.total_reduces = 1;
  for (int i = 0; i < 6; ++i) {
    const std::int64_t start = 1'010'000 + i / 2 * 22'000;
    run.tasks.push_back(map_on(i % 2 == 0 ? "a" : "b", i, start, start + 20'000));
  }
  run.tasks.push_back(reduce_on("a", 1'040'000, 1'080'000, 1'090'000));
  return run;
}

void move_clock(JobRun& run, const std::string& node, std::int64_t by) {
  shift_clock(run, {node, ms(by), 0});
}

std::vector<Diagnostic> repaired(JobRun& run) {
  std::vector<Diagnostic> told;
  repair_impossible(run, [&](const Diagnostic& diagnostic) { told.push_back(diagnostic); });
  return told;
}

TEST(SanityChecks, FindsNothingInASoundRun) {
  JobRun run = sound_run();
  EXPECT_TRUE(repaired(run).empty());
  EXPECT_TRUE(run.quality_warnings.empty());
  EXPECT_EQ(SanityChecks(run).maps_done(), at_ms(1'074'000));
}

TEST(SanityChecks, ShiftsANodeWhoseEveryAttemptIsOffByTheSame) {
  JobRun run = sound_run();
  move_clock(run, "b", -3'600'000);
  const std::vector<Diagnostic> told = repaired(run);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].reason, "clock of a node off, its attempts shifted");
  EXPECT_EQ(told[0].detail, "3 times, first b");
  EXPECT_EQ(run.quality_warnings.at("clock of a node off, its attempts shifted"), 3);
  EXPECT_EQ(run.tasks[1].attempts[0].start, at_ms(1'010'000)) << "as it was before the clock was moved";
}

TEST(SanityChecks, DoesNotGuessAClockFromTwoAttemptsNorFromAttemptsThatDisagree) {
  JobRun few = sound_run();
  move_clock(few, "b", 40'000);
  few.tasks.erase(few.tasks.begin() + 1);  // two witnesses are left
  few.total_maps = 5;
  (void)repaired(few);
  EXPECT_FALSE(few.quality_warnings.contains("clock of a node off, its attempts shifted"));
  JobRun drifting = sound_run();
  move_clock(drifting, "b", 40'000);
  *drifting.tasks[3].attempts[0].finish += ms(9'000);
  (void)repaired(drifting);
  EXPECT_FALSE(drifting.quality_warnings.contains("clock of a node off, its attempts shifted"));
  EXPECT_EQ(drifting.quality_warnings.at("attempt outside its job's time"), 1)
      << "the last map ends after the job";
}

// Each volume alone can be; together they would overflow a sum.
TEST(SanityChecks, VolumesThatAreTooMuchTogetherAreDropped) {
  JobRun run = sound_run();
  for (TaskRun& task : run.tasks) task.input = Bytes{std::int64_t{1} << 59};
  (void)repaired(run);
  Bytes sum;
  for (const TaskRun& task : run.tasks) sum += task.input.value_or(Bytes{});
  EXPECT_EQ(sum, Bytes{most_bytes_of_a_run});
  EXPECT_EQ(run.quality_warnings.at("volume that cannot be, dropped"), std::ssize(run.tasks) - 2);
}

TEST(SanityChecks, AWinnerWithoutAnEndEndsWithItsTask) {
  JobRun run = sound_run();
  run.tasks[2].attempts[0].finish.reset();
  (void)repaired(run);
  EXPECT_EQ(run.tasks[2].attempts[0].finish, run.tasks[2].finish);
  EXPECT_EQ(run.quality_warnings.at("finish of an attempt missing, taken from its task"), 1);
  EXPECT_EQ(run.quality_warnings.size(), 1U);
}

TEST(SanityChecks, LeavesWhatCannotBeAndCountsIt) {
  JobRun run = sound_run();
  std::swap(run.tasks[0].attempts[0].start, run.tasks[0].attempts[0].finish);
  run.tasks[1].attempts[0].start = at_ms(7);                   // 1970
  run.tasks[6].attempts[0].shuffle_finish = at_ms(1'060'000);  // the last map ends at 1,074 s
  run.tasks[3].input = Bytes{-5};
  const JobRun before = run;
  (void)repaired(run);
  const SanityChecks checks(run);
  EXPECT_FALSE(checks.possible(run.tasks[0].attempts[0]));
  EXPECT_FALSE(checks.possible(run.tasks[1].attempts[0]));
  EXPECT_TRUE(checks.possible(run.tasks[2].attempts[0]));
  EXPECT_FALSE(checks.possible(run.tasks[6].attempts[0]));
  EXPECT_EQ(run.tasks[0].attempts[0].start, before.tasks[0].attempts[0].start) << "kept as told";
  EXPECT_EQ(run.quality_warnings.at("attempt finishes before it starts"), 1);
  EXPECT_EQ(run.quality_warnings.at("attempt outside its job's time"), 1);
  EXPECT_EQ(run.quality_warnings.at("shuffle ended before the last map"), 1);
  EXPECT_EQ(run.quality_warnings.at("volume that cannot be, dropped"), 1);
  EXPECT_FALSE(run.tasks[3].input);
}

TEST(SanityChecks, CountsLostEventsWhereTheRunSucceededOnly) {
  JobRun run = sound_run();
  run.tasks[0].attempts.clear();
  run.tasks[1].attempts[0].start.reset();
  run.tasks.pop_back();
  Attempt endless;
  endless.id = "attempt_1_0001_m_000002_1";
  endless.start = at_ms(1'020'000);
  run.tasks[2].attempts.push_back(endless);
  JobRun failed = run;
  failed.state = RunState::failed;
  (void)repaired(run);
  EXPECT_EQ(run.quality_warnings.at("task without a successful attempt"), 1);
  EXPECT_EQ(run.quality_warnings.at("successful attempt without a start or a finish"), 1);
  EXPECT_EQ(run.quality_warnings.at("attempt without an end"), 1);
  EXPECT_EQ(run.quality_warnings.at("tasks told are not as many as the job planned: those told count"), 1);
  (void)repaired(failed);
  EXPECT_TRUE(failed.quality_warnings.empty()) << "a run that broke off leaves ends open";
}

TEST(SanityChecks, ASucceededRunHasTheTasksThatAreTold) {
  JobRun run = sound_run();
  const Count maps = run.total_maps, reduces = run.total_reduces;
  run.total_maps = 900;
  (void)repaired(run);
  EXPECT_EQ(run.total_maps, maps);
  EXPECT_EQ(run.total_reduces, reduces);
  run.state = RunState::killed;
  run.total_maps = 900;
  (void)repaired(run);
  EXPECT_EQ(run.total_maps, 900) << "it was cut short";
}

TEST(SanityChecks, RepairingTwiceChangesNothingMore) {
  JobRun run = sound_run();
  move_clock(run, "b", 25'000);
  (void)repaired(run);
  const Time start = *run.tasks[1].attempts[0].start;
  (void)repaired(run);
  EXPECT_EQ(run.tasks[1].attempts[0].start, start);
}

}  // namespace
}  // namespace wavewright
