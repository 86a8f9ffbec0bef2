#include "wavewright/plan/bounds/lower_bound.h"

#include <numeric>

#include "tests/property.h"
#include "tests/sim/worlds.h"
#include "wavewright/plan/evaluate.h"
#include "wavewright/plan/planner.h"
#include "wavewright/sched/policies/plan_policy.h"

namespace wavewright {
namespace {

// No schedule that the simulator can be made to produce is below the bound: any order, pools, slow-start,
// shuffles and releases.
TEST(LowerBound, HoldsForEverySimulatedPlan) {
  holds_always(
      [] {
        const Workload workload = worlds::some_workload();
        SimulationOptions options = worlds::some_options();
        options.pool = {*rc::gen::inRange(2, 6), *rc::gen::inRange(2, 6)};
        Plan plan;
        for (const Job& job : workload.jobs) plan.order.push_back(job.id);
        for (std::size_t i = plan.order.size(); i > 1; --i) {
          std::swap(plan.order[i - 1], plan.order[*rc::gen::inRange<std::size_t>(0, i)]);
        }
        if (*rc::gen::arbitrary<bool>()) {
          const SlotPool first{*rc::gen::inRange<Count>(1, options.pool.map_slots),
                               *rc::gen::inRange<Count>(1, options.pool.reduce_slots)};
          plan.pools = {
              {first, {}},
              {{options.pool.map_slots - first.map_slots, options.pool.reduce_slots - first.reduce_slots},
               {}}};
          for (const std::string& id : plan.order)
            plan.pools[*rc::gen::inRange<std::size_t>(0, 2)].jobs.push_back(id);
        }
        const auto policy = make_plan_policy(plan);
        const SimulationResult result = simulate(workload, *policy, options);
        const MakespanBounds bounds = makespan_bounds(workload, options.pool);
        RC_ASSERT(bounds.fluid <= result.makespan);
        RC_ASSERT(bounds.chain <= result.makespan);
        RC_ASSERT(bounds.head_tail_load <= result.makespan);
        RC_ASSERT(bounds.counting <= result.makespan);
        RC_ASSERT(total_completion_bound(workload, options.pool) <= result.total_completion);
      },
      5'000, 600);
}

TEST(LowerBound, IsJohnsonsMakespanWhereEveryStageFillsThePool) {
  Workload batch;
  for (const auto& [map, reduce] :
       std::vector<std::pair<int, int>>{{4, 5}, {1, 4}, {30, 4}, {6, 30}, {2, 3}}) {
    Job job;
    job.id = fmt::format("J{}", batch.jobs.size() + 1);
    job.maps.assign(30, ms(map));
    job.reduces.assign(30, ms(reduce));
    batch.jobs.push_back(job);
  }
  EXPECT_EQ(makespan_bounds(batch, {30, 30}).fluid, ms(47));
}

TEST(LowerBound, RoundsUpToAWholeMillisecond) {
  Workload batch{{Job{}}};
  batch.jobs[0].id = "J1";
  batch.jobs[0].maps.assign(4, ms(1));
  EXPECT_EQ(makespan_bounds(batch, {3, 1}).fluid, ms(2));  // 4/3 ms of work a slot
}

TEST(LowerBound, KnowsThatLateJobsStartLate) {
  Workload batch{{Job{}}};
  batch.jobs[0].id = "J1";
  batch.jobs[0].submit = at_ms(1000);
  batch.jobs[0].maps.assign(4, ms(10));
  EXPECT_EQ(makespan_bounds(batch, {2, 1}).best(), ms(1020));
}

TEST(LowerBound, CountsFromTheSubmissionOn) {
  Workload batch{{Job{}}};
  batch.jobs[0].id = "J1";
  batch.jobs[0].submit = at_ms(1000);
  batch.jobs[0].maps = {ms(10)};
  batch.jobs[0].reduces.assign(3, ms(5));
  EXPECT_EQ(makespan_bounds(batch, {1, 2}).counting, ms(1000 + 10 + 2 * 5));
}

// Every method's promise, on random worlds: each job once, the value that the simulator gives, no worse
// than its own bound, and the same plan again for the same seed.
TEST(Planners, KeepTheContract) {
  for (const auto& method : planners()) {
    int made = 0;
    holds_always([&] {
      Workload batch = worlds::some_workload();
      const bool of_workflows = method->name() == "critical-path";
      if (of_workflows || *rc::gen::inRange(0, 3) == 0) worlds::depend(batch);
      const SlotPool pool{*rc::gen::inRange(1, 6), *rc::gen::inRange(1, 6)};
      PlanningProblem problem{
          shared(batch), {pool}, *rc::gen::element(Objective::makespan, Objective::total_completion), 7};
      problem.evaluations = static_cast<std::uint64_t>(fewer(0, 500));  // 0: some seconds' worth
      if (!method->refuses(problem).empty()) return;
      ++made;
      const Plan plan = method->plan(problem, Stop());
      std::vector<std::string> named, ids;
      SlotPool used;
      for (const PlanPool& part : plan.pools) {
        named.insert(named.end(), part.jobs.begin(), part.jobs.end());
        used.map_slots += part.slots.map_slots;
        used.reduce_slots += part.slots.reduce_slots;
      }
      for (const Job& job : batch.jobs) ids.push_back(job.id);
      std::sort(named.begin(), named.end());
      std::sort(ids.begin(), ids.end());
      RC_ASSERT(named == ids);
      RC_ASSERT(used.map_slots <= pool.map_slots);
      RC_ASSERT(used.reduce_slots <= pool.reduce_slots);
      Plan valued = plan;
      value_plan(valued, problem);
      RC_ASSERT(valued.makespan == plan.makespan);
      RC_ASSERT(valued.total_completion == plan.total_completion);
      RC_ASSERT(plan.lower_bound <= plan.value());
      const Plan again = method->plan(problem, Stop());
      RC_ASSERT(again.order == plan.order);
      RC_ASSERT(again.evaluated == plan.evaluated);
    });
    EXPECT_GT(made, 0) << method->name();
  }
}

TEST(Planners, TheSweepIsNeverWorseThanTheIntervalSearch) {
  holds_always([] {
    const Workload batch = worlds::some_workload();
    const PlanningProblem problem{
        shared(batch), {{*rc::gen::inRange(2, 9), *rc::gen::inRange(2, 9)}}, Objective::makespan, 1};
    RC_ASSERT(planner("balanced-pools-sweep")->plan(problem, Stop()).makespan <=
              planner("balanced-pools")->plan(problem, Stop()).makespan);
    RC_ASSERT(planner("balanced-pools")->plan(problem, Stop()).makespan <=
              planner("johnson")->plan(problem, Stop()).makespan);
  });
}

TEST(Planners, NoneIsBetterThanBest) {
  holds_always(
      [] {
        const Workload batch =
            *rc::gen::arbitrary<bool>() ? worlds::some_workload() : worlds::some_workflow();
        const SlotPool pool{*rc::gen::inRange(1, 6), *rc::gen::inRange(1, 6)};
        const Objective objective = *rc::gen::element(Objective::makespan, Objective::total_completion);
        PlanningProblem problem{shared(batch), {pool, *rc::gen::element(1.0, 0.5)}, objective, 3};
        problem.evaluations = 200;
        const Plan best = planner("best")->plan(problem, Stop());
        problem.evaluations /= 20;  // the part of each other search
        for (const auto& method : planners()) {
          if (method->name() != "best" && method->refuses(problem).empty())
            RC_ASSERT(best.value() <= method->plan(problem, Stop()).value());
        }
      },
      200, 20);
}

TEST(Planners, BestAsksNoneThatRefuses) {
  Workload batch;
  for (int i = 0; i < 40; ++i) {  // too many for exhaustive search
    Job job;
    job.id = fmt::format("J{}", i);
    job.maps.assign(2, ms(10 + i));
    job.reduces.assign(1, ms(30 + 3 * (i % 7)));
    batch.jobs.push_back(job);
  }
  PlanningProblem problem{shared(batch), {{3, 2}}};
  problem.evaluations = 100;
  EXPECT_EQ(plan_by("best", problem, Stop()).order.size(), 40U);
}

// Nine jobs on 64 + 64 slots.
Workload nine_jobs() {
  Workload batch;
  for (const auto& [maps, map, reduces, reduce] : std::vector<std::array<int, 4>>{{60, 497, 12, 415},
                                                                                  {87, 1281, 39, 148},
                                                                                  {11, 1082, 45, 2128},
                                                                                  {6, 17, 29, 504},
                                                                                  {93, 437, 4, 384},
                                                                                  {15, 1465, 38, 1598},
                                                                                  {9, 249, 48, 872},
                                                                                  {14, 691, 15, 230},
                                                                                  {93, 660, 50, 1923}}) {
    Job job;
    job.id = fmt::format("J{}", batch.jobs.size() + 1);
    job.maps.assign(static_cast<std::size_t>(maps), ms(map));
    job.reduces.assign(static_cast<std::size_t>(reduces), ms(reduce));
    batch.jobs.push_back(job);
  }
  return batch;
}

TEST(Planners, BestBeginsWithWhatIsKnown) {
  const Workload batch = nine_jobs();
  PlanningProblem problem{shared(batch), {{64, 64}}};
  problem.evaluations = 2;
  const Plan alone = plan_by("best", problem, Stop());
  const std::vector<Plan> known = {plan_by("balanced-pools", problem, Stop())};
  problem.known = known;
  const Plan best = plan_by("best", problem, Stop());
  EXPECT_LE(best.value(), known[0].value());
  EXPECT_LE(best.evaluated, 20) << "the starts of the searches; nothing is made twice";
  EXPECT_GT(alone.evaluated, best.evaluated);
}

// One order for maps and reduces gives 6406 at best; 133 long reduces on 64 slots prove that nothing is below
// 6259.
TEST(Planners, BestFindsTwoOrdersOfNineJobsAndProvesThem) {
  const Workload batch = nine_jobs();
  const Plan plan = planner("best")->plan({shared(batch), {{64, 64}}}, Stop());
  EXPECT_EQ(plan.makespan, ms(6'259));
  EXPECT_EQ(plan.lower_bound, ms(6'259));
  EXPECT_TRUE(plan.proved_optimal);
  EXPECT_NE(plan.map_order, plan.reduce_order);
}

TEST(Planners, GiveAValidPlanWhenThereIsNoTimeAtAll) {
  Workload batch;
  for (int i = 0; i < 20; ++i) {
    Job job;
    job.id = fmt::format("J{}", i);
    job.maps.assign(static_cast<std::size_t>(i + 1), ms(100));
    job.reduces.assign(3, ms(50));
    batch.jobs.push_back(job);
  }
  for (const std::size_t jobs : {std::size_t{20}, std::size_t{11}}) {
    batch.jobs.resize(jobs);
    for (const auto& method : planners()) {
      const PlanningProblem problem{shared(batch), {{8, 8}}, Objective::makespan, 1};
      if (!method->refuses(problem).empty()) continue;
      const Plan plan = method->plan(problem, Stop(std::chrono::nanoseconds(0)));
      EXPECT_EQ(plan.order.size(), jobs) << method->name();
      EXPECT_GE(plan.makespan, plan.lower_bound) << method->name();
    }
  }
}

}  // namespace
}  // namespace wavewright
