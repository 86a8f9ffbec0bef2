// The plans of all methods for one problem, and the problem as a value.
#include "wavewright/plan/all_methods.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "tests/plan/small_batch.h"
#include "wavewright/core/error.h"
#include "wavewright/sched/plan_check.h"

namespace wavewright {
namespace {

PlanningProblem problem_of(const Workload& batch) {
  PlanningProblem problem{shared(batch), {{3, 2}}};
  problem.evaluations = 20;
  return problem;
}

Plan plan_with(Duration makespan, Duration bound) {
  Plan plan;
  plan.makespan = makespan;
  plan.lower_bound = bound;
  plan.proved_optimal = makespan == bound;
  return plan;
}

TEST(PlanningProblem, OutlivesWhatItWasMadeFrom) {
  PlanningProblem problem;
  {
    Workload batch = small_batch(4);
    problem = problem_of(batch);
    batch.jobs.clear();
  }
  const PlanningProblem copy = problem;
  problem = {};
  EXPECT_EQ(plan_by("johnson", copy, Stop()).order.size(), 4U);
}

TEST(PlanningProblem, IsRefusedWithAnObjectiveThatNoPlannerKnows) {
  PlanningProblem problem = problem_of(small_batch(2));
  problem.objective = Objective::max_lateness;
  EXPECT_THROW((void)plan_by("johnson", problem, Stop()), UsageError);
}

TEST(Planner, TakesParametersInItsName) {
  const PlanningProblem problem = problem_of(small_batch(6));
  const auto plan = [&](const std::string& text) { return plan_by(text, problem, Stop()); };
  EXPECT_EQ(plan("genetic( population=10, generations=3 )").method, "genetic(population=10,generations=3)");
  EXPECT_EQ(plan("genetic(population=10, generations=1)").evaluated, 10) << "each order once";
  EXPECT_GT(plan("genetic(population=10, generations=9)").evaluated, 10);
  EXPECT_EQ(plan("genetic(population=33, generations=1)").evaluated, 33);
}

TEST(Planner, RefusesParametersThatItDoesNotHave) {
  const auto refusal = [](const std::string& text) {
    try {
      (void)planner(text);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refusal("johnson(3)"), testing::HasSubstr("method 'johnson' takes no arguments"));
  EXPECT_THAT(refusal("genetic(popluation=4)"), testing::HasSubstr("did you mean 'population'?"));
  EXPECT_THAT(refusal("genetic(population=1)"), testing::HasSubstr("2"));
  EXPECT_THAT(refusal("genetic(mutation=150%)"), testing::HasSubstr("mutation"));
  EXPECT_THAT(refusal("genetic("), testing::HasSubstr("'genetic(' cannot be read; write name"));
}

TEST(AllMethods, PlanInTheOrderOfTheListAndTheLastOneIsTheBest) {
  const PlanningProblem problem = problem_of(small_batch(6));
  std::vector<std::string> told, made;
  const std::vector<Plan> plans =
      plan_by_all(problem, {.progress = [&](const std::string& method) { told.push_back(method); }});
  for (const Plan& plan : plans) {
    check_plan(plan, *problem.batch, problem.cluster.pool, plan.method);
    made.push_back(plan.method);
    EXPECT_LE(plans.back().value(), plan.value()) << plan.method;
  }
  std::vector<std::string> listed;
  for (const auto& method : planners()) {
    if (method->refuses(problem).empty()) listed.push_back(method->name());
  }
  EXPECT_EQ(made, listed);
  std::sort(told.begin(), told.end());
  told.erase(std::unique(told.begin(), told.end()), told.end());
  std::sort(listed.begin(), listed.end());
  EXPECT_EQ(told, listed);
}

// Without a limit, whoever interrupts one of the slow searches has the best method's plan.
TEST(AllMethods, HaveTheBestMethodsPlanBeforeTheyCanBeInterruptedInTheOthers) {
  std::atomic<bool> interrupted = false;
  const std::vector<Plan> plans = plan_by_all(
      problem_of(small_batch(6)), {.interrupted = &interrupted, .progress = [&](const std::string& method) {
                                     interrupted = interrupted || method == "exhaustive";
                                   }});
  EXPECT_EQ(plans.back().method, "best");
  EXPECT_TRUE(plans.back().partial);
}

TEST(AllMethods, ShareOneNumberOfEvaluations) {
  PlanningProblem problem = problem_of(small_batch(30));
  problem.evaluations = 4000;
  Count evaluated = 0;
  for (const Plan& plan : plan_by_all(problem, {})) evaluated += plan.evaluated;
  EXPECT_LE(evaluated, 4400) << "the starts of the searches come on top";
  EXPECT_GE(evaluated, 2000);
  EXPECT_LE(plan_by("best", problem, Stop()).evaluated, 4400);
}

TEST(AllMethods, GiveAPlanWithoutAnyTimeAndSayThatOthersWereNotTried) {
  const std::vector<Plan> plans = plan_by_all(problem_of(small_batch(6)), {.limit = ms(0)});
  ASSERT_EQ(plans.size(), 1U);
  EXPECT_EQ(plans[0].method, planners().front()->name());
  EXPECT_TRUE(plans[0].partial);
}

TEST(AllMethods, ShareTheirBoundsAndWithThemTheirProofs) {
  std::vector<Plan> plans = {plan_with(ms(12), ms(7)), plan_with(ms(10), ms(8)), plan_with(ms(11), ms(10))};
  share_bounds(plans);
  for (const Plan& plan : plans) EXPECT_EQ(plan.lower_bound, ms(10));
  EXPECT_FALSE(plans[0].proved_optimal);
  EXPECT_TRUE(plans[1].proved_optimal);
}

TEST(AllMethods, TheBestOfEqualPlansIsTheOneWithTheStrongestProof) {
  std::vector<Plan> plans = {plan_with(ms(11), ms(5)), plan_with(ms(10), ms(5)), plan_with(ms(10), ms(5))};
  EXPECT_EQ(&best_plan(plans), &plans[1]) << "the first of equal ones";
  plans[2].best_single_order = true;
  EXPECT_EQ(&best_plan(plans), &plans[2]);
  plans[1].proved_optimal = true;
  EXPECT_EQ(&best_plan(plans), &plans[1]);
}

}  // namespace
}  // namespace wavewright
