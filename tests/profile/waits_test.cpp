#include "wavewright/profile/waits.h"

#include "tests/profile/history.h"

namespace wavewright {
namespace {

using Durations = std::vector<Duration>;

// One map slot: maps 10–100 and 103–203; a reduce from 110 (merged at 210, ends at 250); done at 260.
JobRun one_slot_run() {
  JobRun run;
  run.id = "job_1_0001";
  run.state = RunState::succeeded;
  run.submit = at_ms(0);
  run.finish = at_ms(260);
  run.tasks = {map_task(103, 203), map_task(10, 100),
               task(TaskKind::reduce, {reduce_attempt(110, 205, 210, 250)})};
  return run;
}

TEST(Waits, TheStagesAddUpToTheWholeRun) {
  const RunPhases phases = phases_of(one_slot_run());
  EXPECT_EQ(phases.startup, ms(10));
  EXPECT_EQ(phases.map_stage, ms(193));
  EXPECT_EQ(phases.reduce_stage, ms(47));
  EXPECT_EQ(phases.commit, ms(10));
  EXPECT_EQ(*phases.startup + *phases.map_stage + *phases.reduce_stage + *phases.commit, phases.measured());
}

TEST(Waits, ASlotWaitsForItsNextTask) {
  const RunPhases phases = phases_of(one_slot_run());
  EXPECT_EQ(phases.map_ramp, (Durations{ms(0)}));
  EXPECT_EQ(phases.map_wait, (Durations{ms(3)}));
  EXPECT_EQ(phases.reduce_wait, (Durations{ms(10)})) << "slow-start let it begin with the first map's end";
}

TEST(Waits, SlowStartIsTheRunsOwn) {
  JobRun run = one_slot_run();
  run.settings["mapreduce.job.reduce.slowstart.completedmaps"] = "1.00";
  run.tasks[2] = task(TaskKind::reduce, {reduce_attempt(215, 230, 235, 250)});
  EXPECT_EQ(phases_of(run).reduce_wait, (Durations{ms(12)})) << "both maps had to be done";
  EXPECT_DOUBLE_EQ(slowstart_of({{"mapreduce.job.reduce.slowstart.completedmaps", "many"}}), 0.05);
  EXPECT_EQ(slowstart_maps(0.05, 40), 2);
  EXPECT_EQ(slowstart_maps(0.05, 41), 3);
  EXPECT_EQ(slowstart_maps(1, 7), 7);
  EXPECT_EQ(slowstart_maps(0.07, 100), 7) << "0.07 · 100 is a little above 7 in binary";
}

TEST(Waits, TheTimeOfAFailedAttemptIsPartOfTheWait) {
  JobRun run = one_slot_run();
  run.tasks[0] = task(TaskKind::map, {attempt(0, AttemptState::failed, 103, 150),
                                      attempt(1, AttemptState::succeeded, 155, 203)});
  EXPECT_EQ(phases_of(run).map_wait, (Durations{ms(55)}));
}

TEST(Waits, ImpossibleAttemptsAreNotSeen) {
  JobRun run = one_slot_run();
  run.tasks[0].attempts[0].finish = at_ms(99'999);  // long after the job's own end
  const RunPhases phases = phases_of(run);
  EXPECT_EQ(phases.map, (Durations{ms(90)}));
  EXPECT_TRUE(phases.map_wait.empty());
  EXPECT_EQ(phases.maps, 2) << "the run keeps its size";
}

}  // namespace
}  // namespace wavewright
