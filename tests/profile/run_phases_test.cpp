#include "wavewright/profile/run_phases.h"

#include "tests/profile/history.h"

namespace wavewright {
namespace {

using Durations = std::vector<Duration>;

TEST(RunPhases, CutsReducesAtTheLastMapsEnd) {
  const RunPhases phases = phases_of(small_run());
  EXPECT_EQ(phases.map, (Durations{ms(90), ms(100)}));
  EXPECT_EQ(phases.first_shuffle, (Durations{ms(30)}))
      << "from the last map's end at 120 to the merge at 150";
  EXPECT_EQ(phases.shuffle, (Durations{ms(40)})) << "from its start at 200 to the merge at 240";
  EXPECT_EQ(phases.reduce, (Durations{ms(40), ms(40)}));
  EXPECT_EQ(phases.slots, (SlotPool{2, 1}));
  EXPECT_EQ(phases.measured(), ms(300));
}

TEST(RunPhases, OverheadIsTheTimeWithNothingAtWork) {
  // 0–10 before the first map, 190–200 between the reduces, 280–300 after the last.
  EXPECT_EQ(phases_of(small_run()).overhead, ms(40));
}

TEST(RunPhases, AShuffleThatEndsBeforeTheLastMapCostsNothing) {
  JobRun run = small_run();
  run.tasks[2].attempts[0].sort_finish = at_ms(110);
  EXPECT_EQ(phases_of(run).first_shuffle, (Durations{ms(0)}));
  EXPECT_EQ(phases_of(run).reduce[0], ms(70)) << "from the last map's end";
}

// Clocks of two machines may differ by a little: no phase lasts longer than its attempt, and none is
// negative.
TEST(RunPhases, NoPhaseGoesOnBeyondTheFinish) {
  JobRun run = small_run();
  run.tasks[2] = task(TaskKind::reduce, {reduce_attempt(100, 140, 195, 190)});  // merged 5 after its own end
  EXPECT_EQ(phases_of(run).first_shuffle, (Durations{ms(70)})) << "from the last map's end at 120 to 190";
  EXPECT_EQ(phases_of(run).reduce[0], ms(0));
  run.tasks[2] = task(TaskKind::reduce, {reduce_attempt(100, 110, 112, 115)});  // ends 5 before the last map
  EXPECT_EQ(phases_of(run).first_shuffle, (Durations{ms(0)}));
  EXPECT_EQ(phases_of(run).reduce[0], ms(0));
}

TEST(RunPhases, OverheadEndsWithTheJob) {
  JobRun run = small_run();
  run.tasks.push_back(map_task(305, 310));  // the job ended at 300
  // 0–10, 190–200 and 280–300, as without it.
  EXPECT_EQ(phases_of(run).overhead, ms(40));
}

TEST(RunPhases, FailedKilledAndSpeculativeAttemptsNeverEnterThePhases) {
  JobRun run = small_run();
  run.tasks[0] = task(TaskKind::map, {attempt(0, AttemptState::failed, 10, 15),
                                      attempt(1, AttemptState::succeeded, 16, 106)});
  run.tasks[1] = task(TaskKind::map, {attempt(0, AttemptState::killed, 20, 121),  // lost the race
                                      attempt(1, AttemptState::succeeded, 60, 120)});
  run.tasks.push_back(task(TaskKind::map, {attempt(0, AttemptState::killed, 10, 20),  // its node was lost
                                           attempt(1, AttemptState::succeeded, 30, 50)}));
  const RunPhases phases = phases_of(run);
  EXPECT_EQ(phases.map, (Durations{ms(90), ms(60), ms(20)}));
  EXPECT_EQ(phases.map_attempts.succeeded, 3);
  EXPECT_EQ(phases.map_attempts.failed, 1);
  EXPECT_EQ(phases.map_attempts.killed, 1);
  EXPECT_EQ(phases.map_attempts.speculative, 1);
}

TEST(RunPhases, SetupAndCleanupTasksAreNeitherMapsNorReduces) {
  JobRun run = small_run();
  run.tasks.push_back(task(TaskKind::setup, {attempt(0, AttemptState::succeeded, 1, 9)}));
  EXPECT_EQ(phases_of(run).maps, 2);
  EXPECT_EQ(phases_of(run).map.size(), 2U);
}

TEST(RunPhases, MissingInstantsStayMissing) {
  JobRun run = small_run();
  run.tasks[0].attempts[0].finish.reset();
  run.tasks[2].attempts[0].sort_finish.reset();
  run.tasks[2].attempts[0].shuffle_finish.reset();
  run.finish.reset();
  const RunPhases phases = phases_of(run);
  EXPECT_EQ(phases.map.size(), 1U);
  EXPECT_TRUE(phases.first_shuffle.empty());
  EXPECT_EQ(phases.reduce.size(), 2U);
  EXPECT_FALSE(phases.measured());
  EXPECT_FALSE(phases.overhead);
}

TEST(RunPhases, ASumOfBytesNeedsEveryTask) {
  JobRun run = small_run();
  run.tasks[0].input = Bytes{100};
  EXPECT_FALSE(phases_of(run).map_input);
  run.tasks[1].input = Bytes{50};
  EXPECT_EQ(phases_of(run).map_input, Bytes{150});
}

TEST(RunPhases, ATaskThatNoAttemptWonAddsNoBytes) {
  JobRun run = small_run();
  for (TaskRun& one : run.tasks) {
    one.input = Bytes{10};
    one.output = Bytes{3};
  }
  run.tasks.push_back(task(TaskKind::map, {attempt(0, AttemptState::failed, 10, 15)}));
  run.tasks.push_back(task(TaskKind::reduce, {attempt(0, AttemptState::killed, 150, 160)}));
  for (std::size_t i = 4; i < 6; ++i) run.tasks[i].input = run.tasks[i].output = Bytes{1'000};
  // Two maps and two reduces that succeeded, of 10 bytes in and 3 out each.
  const RunPhases phases = phases_of(run);
  EXPECT_EQ(phases.map_input, Bytes{20});
  EXPECT_EQ(phases.map_output, Bytes{6});
  EXPECT_EQ(phases.reduce_input, Bytes{20});
  EXPECT_EQ(phases.reduce_output, Bytes{6});
}

TEST(PeakAttempts, OneThatEndsAsAnotherStartsGivesItsSlot) {
  JobRun run;
  run.tasks = {map_task(0, 10), map_task(10, 20), map_task(10, 20), map_task(15, 15), map_task(15, 15)};
  EXPECT_EQ(phases_of(run).slots.map_slots, 4);
  run.tasks = {map_task(0, 10), map_task(10, 20), map_task(20, 30)};
  EXPECT_EQ(phases_of(run).slots.map_slots, 1) << "one after the other";
}

}  // namespace
}  // namespace wavewright
