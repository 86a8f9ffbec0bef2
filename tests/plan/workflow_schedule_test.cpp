// The evaluator of workflows beside the simulator, whose model it shares.
#include "wavewright/plan/schedule/workflow_schedule.h"

#include <numeric>

#include "tests/plan/workflows.h"
#include "tests/property.h"
#include "wavewright/plan/evaluate.h"
#include "wavewright/plan/schedule/list_schedule.h"

namespace wavewright {
namespace {

using worlds::some_positive_workflow;

TEST(WorkflowSchedule, IsWorthWhatTheSimulatorSays) {
  holds_always(
      [] {
        const Workload batch = some_positive_workflow();
        const SlotPool pool{*rc::gen::inRange(1, 6), *rc::gen::inRange(1, 6)};
        RC_PRE(WorkflowSchedule::models(batch, {pool}));
        WorkflowSchedule schedule(batch, pool);
        for (int again = 0; again < 3; ++again) {
          const std::vector<JobIndex> maps = worlds::some_order(batch.jobs.size());
          const std::vector<JobIndex> reduces =
              *rc::gen::arbitrary<bool>() ? maps : worlds::some_order(batch.jobs.size());
          const SimulationResult result = worlds::simulated(batch, pool, maps, reduces);
          RC_ASSERT(schedule.value(maps, reduces) == (PlanValue{result.makespan, result.total_completion}));
          for (JobIndex job = 0; job < batch.jobs.size(); ++job) {
            RC_ASSERT(at_ms(schedule.map_ends()[job]) == result.jobs[job].maps_done);
            RC_ASSERT(at_ms(schedule.ends()[job]) == result.jobs[job].finish);
          }
        }
      },
      20'000, 1'500);
}

TEST(WorkflowSchedule, IsTheListScheduleWhereNoJobWaits) {
  holds_always(
      [] {
        const Workload batch = without_precedence(some_positive_workflow());
        const SlotPool pool{*rc::gen::inRange(1, 6), *rc::gen::inRange(1, 6)};
        RC_PRE(ListSchedule::models(batch, {pool}));
        const std::vector<JobIndex> maps = worlds::some_order(batch.jobs.size());
        const std::vector<JobIndex> reduces = worlds::some_order(batch.jobs.size());
        RC_ASSERT(WorkflowSchedule(batch, pool).value(maps, reduces) ==
                  ListSchedule(batch, pool).value(maps, reduces));
      },
      2'000);
}

// a: maps 0–4, reduce 4–7. b waits for it: map 7–9. c needs no one: its map takes the slot at 4, or at once
// where it stands before a.
TEST(WorkflowSchedule, ByHand) {
  const auto job = [](const char* id, int map, int reduce) {
    Job made;
    made.id = id;
    made.maps = {ms(map)};
    if (reduce > 0) made.reduces = {ms(reduce)};
    return made;
  };
  Workload batch{{job("a", 4, 3), job("b", 2, 0), job("c", 5, 1)}};
  batch.jobs[1].after = {"a"};
  WorkflowSchedule schedule(batch, {1, 1});
  EXPECT_EQ(schedule.value(std::vector<JobIndex>{1, 0, 2}), (PlanValue{ms(11), ms(7 + 11 + 10)}));
  EXPECT_EQ(schedule.value(std::vector<JobIndex>{2, 1, 0}), (PlanValue{ms(14), ms(12 + 14 + 6)}));
  batch.jobs[1].submit = at_ms(20);
  EXPECT_EQ(WorkflowSchedule(batch, {1, 1}).value(std::vector<JobIndex>{1, 0, 2}),
            (PlanValue{ms(22), ms(7 + 2 + 10)}));
}

TEST(WorkflowSchedule, ModelsWhatTheListScheduleDoes) {
  Workload batch{{Job{}, Job{}}};
  batch.jobs[0].id = "a";
  batch.jobs[1].id = "b";
  batch.jobs[1].after = {"a"};
  batch.jobs[0].maps = batch.jobs[1].maps = {ms(1)};
  EXPECT_TRUE(WorkflowSchedule::models(batch, {{1, 1}}));
  EXPECT_FALSE(WorkflowSchedule::models(batch, {{1, 1}, 0.5}));
  EXPECT_FALSE(WorkflowSchedule::models(batch, {{0, 1}}));
  batch.jobs[1].maps = {ms(0)};
  EXPECT_FALSE(WorkflowSchedule::models(batch, {{1, 1}}));
}

}  // namespace
}  // namespace wavewright
