// Plans that are as good under their objective and better under the other one.
#include "wavewright/plan/methods/tie_break.h"

#include "tests/property.h"
#include "tests/sim/worlds.h"
#include "wavewright/plan/all_methods.h"
#include "wavewright/plan/evaluate.h"

namespace wavewright {
namespace {

// One long job decides the end; ten short ones may run before its reduce or after its map.
Workload long_and_short() {
  Workload batch;
  for (int i = 0; i <= 10; ++i) {
    Job job;
    job.id = "J" + std::to_string(i);
    job.maps = {i == 0 ? ms(1000) : ms(10 * i)};
    job.reduces = {i == 0 ? ms(5000) : ms(5)};
    batch.jobs.push_back(job);
  }
  return batch;
}

// On 2 + 2 slots nothing ends before 6000, and the short jobs need not wait: alone on one slot of each kind,
// shortest first, their maps end after 10, 30, …, 550, each reduce 5 later. 2200 + 50 + 6000.
TEST(TieBreak, FindsTheLeastTotalOfPlansThatEndAsSoon) {
  PlanningProblem problem{shared(long_and_short()), {{2, 2}}};
  const Plan plan = plan_by("best", problem, Stop());
  EXPECT_EQ(plan.makespan, ms(6000));
  EXPECT_EQ(plan.total_completion, ms(8250));
}

TEST(TieBreak, GivesUpAShareOfTheObjectiveForTheOther) {
  PlanningProblem problem{shared(long_and_short()), {{1, 1}}};
  problem.evaluations = 2000;
  const Plan strict = plan_by("best", problem, Stop());
  problem.within = 0.10;
  const Plan loose = plan_by("best", problem, Stop());
  EXPECT_EQ(strict.makespan, ms(6050)) << "the long job first";
  EXPECT_GT(loose.makespan, strict.makespan);
  EXPECT_LE(loose.makespan, ms(6655));
  EXPECT_LT(loose.total_completion, strict.total_completion);
}

TEST(TieBreak, LeavesTheObjectiveWithinItsLimitAndTheOtherNoWorse) {
  int better = 0;
  holds_always(
      [&] {
        Workload batch = worlds::some_workload();
        if (*rc::gen::arbitrary<bool>()) worlds::lengthen(batch);
        if (*rc::gen::inRange(0, 4) == 0) worlds::depend(batch);
        PlanningProblem problem{shared(batch),
                                {{*rc::gen::inRange<Count>(1, 5), *rc::gen::inRange<Count>(1, 4)},
                                 *rc::gen::element(1.0, 1.0, 0.4)},
                                *rc::gen::element(Objective::makespan, Objective::total_completion)};
        problem.within = *rc::gen::element(0.0, 0.01, 0.3);
        const Plan before = plan_by(*rc::gen::element("johnson", "spt", "submission"), problem, Stop());
        Plan plan = before;
        break_ties(plan, problem, {}, 100, Stop());
        const Objective other = other_objective(problem.objective);
        const auto value = [](const Plan& of, Objective objective) {
          return planned_value(objective, of.makespan, of.total_completion);
        };
        RC_ASSERT(plan.value() <= largest_within(before.value(), problem.within));
        RC_ASSERT(value(plan, other) <= value(before, other));
        RC_ASSERT(plan.lower_bound == before.lower_bound);
        const SimulationResult result = simulate_plan(plan, batch, problem.cluster);
        RC_ASSERT(result.makespan == plan.makespan);
        RC_ASSERT(result.total_completion == plan.total_completion);
        better += value(plan, other) < value(before, other) ? 1 : 0;
      },
      300);
  EXPECT_GT(better, 0);
}

TEST(BestPlan, BreaksTiesByTheOtherObjective) {
  const auto plan = [](int makespan, int total) {
    Plan made;
    made.makespan = ms(makespan);
    made.total_completion = ms(total);
    return made;
  };
  const std::vector<Plan> plans = {plan(1000, 900), plan(1000, 700), plan(1009, 300), plan(1011, 100)};
  EXPECT_EQ(&best_plan(plans), &plans[1]);
  EXPECT_EQ(&best_plan(plans, 0.01), &plans[2]);
  EXPECT_EQ(&best_plan(plans, 0.02), &plans[3]);
}

}  // namespace
}  // namespace wavewright
