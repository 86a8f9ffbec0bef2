// Robust plans: what is said of the draws, beside simulating them one by one.
#include "wavewright/plan/robust/robust_plan.h"

#include <numeric>

#include "tests/plan/small_batch.h"
#include "tests/property.h"
#include "wavewright/core/error.h"
#include "wavewright/job/generators.h"
#include "wavewright/job/sampled.h"
#include "wavewright/plan/methods/late_acceptance.h"
#include "wavewright/sched/policies/plan_policy.h"
#include "wavewright/sim/simulate.h"

namespace wavewright {
namespace {

TEST(SampleSummary, OfOneToAHundred) {
  std::vector<double> draws(100);
  std::iota(draws.rbegin(), draws.rend(), 1.0);
  const SampleSummary summary = summarise(draws);
  EXPECT_DOUBLE_EQ(summary.mean.value, 50.5);
  EXPECT_NEAR(summary.mean.high - summary.mean.value, 1.959964 * 29.011492 / 10, 1e-4);
  EXPECT_DOUBLE_EQ(summary.p50.value, 50.5);
  EXPECT_DOUBLE_EQ(summary.p50.low, 40);  // ranks 50 ± 9.8
  EXPECT_DOUBLE_EQ(summary.p50.high, 60);
  EXPECT_DOUBLE_EQ(summary.p95.value, 95.05);
  EXPECT_DOUBLE_EQ(summary.p95.low, 90);  // 95 ± 4.3
  EXPECT_DOUBLE_EQ(summary.p95.high, 100);
  EXPECT_DOUBLE_EQ(measure_of(draws, RobustMeasure::p95), 95.05);
  EXPECT_DOUBLE_EQ(measure_of(draws, RobustMeasure::expected), 50.5);
}

TEST(SampleSummary, OfOneDraw) {
  const std::vector<double> one = {7};
  for (const IntervalEstimate& estimate : {summarise(one).mean, summarise(one).p50, summarise(one).p95}) {
    EXPECT_DOUBLE_EQ(estimate.value, 7);
    EXPECT_DOUBLE_EQ(estimate.low, 7);
    EXPECT_DOUBLE_EQ(estimate.high, 7);
  }
}

TEST(RelativeChange, IsPaired) {
  std::vector<double> base(50), tenth_less;
  std::iota(base.begin(), base.end(), 100.0);
  for (const double value : base) tenth_less.push_back(0.9 * value);
  for (const RobustMeasure measure : {RobustMeasure::expected, RobustMeasure::p95}) {
    const IntervalEstimate change = relative_change(base, tenth_less, measure, 1);
    EXPECT_NEAR(change.value, -0.1, 1e-12);
    EXPECT_NEAR(change.low, -0.1, 1e-12) << "draws of one batch are compared with each other";
    EXPECT_NEAR(change.high, -0.1, 1e-12);
  }
  const std::vector<double> noise = {90, 110, 95, 105, 100, 80, 120};
  std::vector<double> other(noise.rbegin(), noise.rend());
  const IntervalEstimate change = relative_change(noise, other, RobustMeasure::expected, 1);
  EXPECT_NEAR(change.value, 0, 1e-12);
  EXPECT_LT(change.low, 0);
  EXPECT_GT(change.high, 0);
}

double value_of(const Plan& plan, const Workload& batch, const PlanningProblem& problem) {
  const auto policy = make_plan_policy(plan, problem.cluster.pool);
  const SimulationResult result = simulate(batch, *policy, {problem.cluster.pool, 1.0, false});
  return static_cast<double>(
      to_ms(problem.objective == Objective::makespan ? result.makespan : result.total_completion));
}

class Robust : public testing::TestWithParam<std::tuple<Objective, RobustMeasure>> {
 protected:
  Workload batch = small_batch(9);
  PlanningProblem problem{shared(batch), {{3, 2}}, std::get<0>(GetParam()), 5};
  RobustSettings settings{std::get<1>(GetParam()), 0.2, 0.2, 300};
  // One of two pools: no pair of orders.
  std::vector<Plan> plans{plan_by("spt", problem, Stop()), plan_by("balanced-pools", problem, Stop())};

  void SetUp() override { problem.evaluations = 300; }
  double on_draws(const Plan& plan, std::uint64_t from, std::size_t count) const {
    return on_draws(plan, from, count, settings.measure);
  }
  double on_draws(const Plan& plan, std::uint64_t from, std::size_t count, RobustMeasure measure) const {
    const SampledBatch sampled(problem.batch, settings.spread, problem.seed, settings.job_spread);
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(value_of(plan, sampled.draw(from + i), problem));
    return measure_of(values, measure);
  }
};

TEST_P(Robust, TellsWhatFreshDrawsGive) {
  const RobustAnswer answer = make_robust_plan(problem, settings, plans, Stop());
  constexpr std::uint64_t fresh_from = std::uint64_t{1} << 40;
  const double nominal = on_draws(answer.nominal.plan, fresh_from, settings.samples);
  const double robust = on_draws(answer.robust.plan, fresh_from, settings.samples);
  EXPECT_DOUBLE_EQ(answer.nominal.draws.of(settings.measure).value, nominal);
  EXPECT_DOUBLE_EQ(answer.robust.draws.of(settings.measure).value, robust);
  EXPECT_NEAR(answer.change.value, robust / nominal - 1, 1e-12);
  EXPECT_EQ(static_cast<double>(to_ms(answer.robust.plan.value())),
            value_of(answer.robust.plan, batch, problem));
  EXPECT_LE(answer.bound_ms, answer.robust.draws.mean.value);
  EXPECT_LE(answer.bound_ms, answer.nominal.draws.mean.value);
}

TEST_P(Robust, IsNoWorseThanAnyPlanOnTheDrawsOfTheSearch) {
  const RobustAnswer answer = make_robust_plan(problem, settings, plans, Stop());
  ASSERT_EQ(answer.searched_with, 30U);
  const double robust = on_draws(answer.robust.plan, 0, answer.searched_with);
  for (const Plan& plan : plans) EXPECT_LE(robust, 1.001 * on_draws(plan, 0, answer.searched_with));
}

TEST_P(Robust, IsTheSameAgain) {
  const RobustAnswer one = make_robust_plan(problem, settings, plans, Stop());
  const RobustAnswer two = make_robust_plan(problem, settings, plans, Stop());
  EXPECT_EQ(one.robust.plan.order, two.robust.plan.order);
  EXPECT_EQ(one.robust.plan.reduce_order, two.robust.plan.reduce_order);
  EXPECT_EQ(one.change.low, two.change.low);
}

TEST_P(Robust, WithoutSpreadEveryDrawIsTheBatch) {
  settings.spread = settings.job_spread = 0;
  const RobustAnswer answer = make_robust_plan(problem, settings, plans, Stop());
  const auto nominal = static_cast<double>(to_ms(answer.robust.plan.value()));
  EXPECT_LE(answer.robust.plan.value(), answer.nominal.plan.value());
  EXPECT_DOUBLE_EQ(answer.robust.draws.mean.value, nominal);
  EXPECT_DOUBLE_EQ(answer.robust.draws.p95.high, nominal);
}

TEST_P(Robust, StopsWhenItIsTold) {
  const RobustAnswer answer = make_robust_plan(problem, settings, plans, Stop(std::chrono::nanoseconds(0)));
  EXPECT_TRUE(answer.robust.plan.partial);
  EXPECT_EQ(answer.robust.plan.order.size(), batch.jobs.size());
  EXPECT_EQ(answer.tried_on, 20U);
  EXPECT_DOUBLE_EQ(answer.robust.draws.mean.value,
                   on_draws(answer.robust.plan, std::uint64_t{1} << 40, 20, RobustMeasure::expected));
}

TEST_P(Robust, IsNeverShownToBeWorse) {
  settings.samples = 400;
  settings.spread = 0.3;
  problem.evaluations = 1000;
  const auto last = static_cast<std::uint64_t>(fewer(15, 12));
  for (problem.seed = 11; problem.seed <= last; ++problem.seed) {
    const Plan best = plan_by("best", problem, Stop());
    const RobustAnswer answer = make_robust_plan(problem, settings, {best}, Stop());
    EXPECT_LE(answer.change.low, 0) << problem.seed;
    EXPECT_EQ(answer.tried_on, 400U);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Robust,
                         testing::Combine(testing::Values(Objective::makespan, Objective::total_completion),
                                          testing::Values(RobustMeasure::expected, RobustMeasure::p95)));

// Of jobs that give way in the middle no pair of orders tells all.
TEST(RobustPlan, KeepsTurnsThatAreBetter) {
  const Workload batch = generate(generator("synthetic-unimodal"), 3, {{"jobs", "12"}});
  PlanningProblem problem{shared(batch), {{64, 64}}, Objective::makespan, 5};
  problem.evaluations = 20'000;
  const Plan best = plan_by("best", problem, Stop());
  ASSERT_FALSE(is_pair_of_orders(best));
  problem.evaluations = 1;
  const RobustAnswer answer =
      make_robust_plan(problem, {RobustMeasure::expected, 0.05, 0, 200}, {best}, Stop());
  EXPECT_EQ(answer.robust.plan.map_turns.size(), best.map_turns.size());
  EXPECT_EQ(answer.robust.draws.mean.value, answer.nominal.draws.mean.value);
}

TEST(RobustPlan, OfAWorkflow) {
  Workload batch = small_batch(9);
  for (std::size_t i = 2; i < batch.jobs.size(); ++i) batch.jobs[i].after = {batch.jobs[i / 2].id};
  PlanningProblem problem{shared(batch), {{3, 2}}, Objective::makespan, 5};
  problem.evaluations = 200;
  const Plan start = plan_by("critical-path", problem, Stop());
  const RobustAnswer answer =
      make_robust_plan(problem, {RobustMeasure::expected, 0.2, 0.2, 300}, {start}, Stop());
  EXPECT_EQ(static_cast<double>(to_ms(answer.robust.plan.value())),
            value_of(answer.robust.plan, batch, problem));
  EXPECT_LE(answer.bound_ms, answer.robust.draws.mean.value);
}

TEST(RobustPlan, TakesSlowStartBelowOneAndTasksOfLengthZero) {
  Workload batch = small_batch(4);
  batch.jobs[0].maps[0] = ms(0);
  PlanningProblem problem{shared(batch), {{2, 1}, 0.5}, Objective::makespan, 5};
  problem.evaluations = 100;
  const Plan start = plan_by("johnson", problem, Stop());
  const RobustAnswer answer =
      make_robust_plan(problem, {RobustMeasure::expected, 0.2, 0.2, 100}, {start}, Stop());
  EXPECT_EQ(static_cast<double>(to_ms(answer.robust.plan.value())),
            value_of(answer.robust.plan, batch, problem));
}

TEST(RobustPlan, RefusesAnUnknownMeasure) {
  EXPECT_THROW((void)parse_robust_measure("p99"), UsageError);
}

}  // namespace
}  // namespace wavewright
