// Plans whose tasks take other times than they think.
#include "wavewright/plan/analysis/risk.h"

#include <cmath>

#include "tests/plan/small_batch.h"
#include "tests/property.h"
#include "wavewright/job/sampled.h"
#include "wavewright/plan/evaluate.h"

#include <tbb/global_control.h>

namespace wavewright {
namespace {

const auto quiet = [](Count, Count) {};

Plan in_order(const Workload& batch, SlotPool pool) {
  Plan plan;
  for (const Job& job : batch.jobs) plan.order.push_back(job.id);
  plan.pools = {{pool, plan.order}};
  return plan;
}

Risk risk_of(const Workload& batch, SlotPool pool, double spread, RiskOptions options,
             double job_spread = 0) {
  const SampledBatch sampled(shared(batch), spread, 11, job_spread);
  return assess_risk(in_order(batch, pool), {pool}, [&](std::uint64_t index) { return sampled.draw(index); },
                     options, quiet, {});
}

Workload one_task(std::int64_t length) {
  Workload batch{{Job{}}};
  batch.jobs[0].id = std::string(1, 'J');
  batch.jobs[0].maps = {ms(length)};
  return batch;
}

TEST(SeenShare, HasWilsonsInterval) {
  const SeenShare half = seen_share(5, 10);
  EXPECT_DOUBLE_EQ(half.share, 0.5);
  EXPECT_NEAR(half.low, 0.2366, 5e-5);
  EXPECT_NEAR(half.high, 0.7634, 5e-5);
  const SeenShare none = seen_share(0, 10);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.2775, 5e-5);
  const SeenShare all = seen_share(10, 10);
  EXPECT_NEAR(all.low, 0.7225, 5e-5);
  EXPECT_EQ(all.high, 1);
  EXPECT_EQ(seen_share(0, 0).high, 1);
}

// The makespan of one task is its length: lognormal, whose quantiles are known.
TEST(Risk, OfOneTaskIsItsDistribution) {
  const double spread = 0.3, sigma = std::sqrt(std::log1p(spread * spread));
  const double median = 1e6 * std::exp(-sigma * sigma / 2);
  RiskOptions options;
  options.samples = 4000;
  options.deadline = ms(std::llround(median));
  options.longer = 0.25;
  const Risk risk = risk_of(one_task(1'000'000), {1, 1}, spread, options);
  EXPECT_EQ(risk.samples, 4000);
  EXPECT_NEAR(static_cast<double>(risk.mean.count()), 1e6, 4 * 1e6 * spread / std::sqrt(4000.0));
  EXPECT_NEAR(static_cast<double>(risk.p50.count()), median, 0.03 * median);
  EXPECT_NEAR(static_cast<double>(risk.p95.count()), median * std::exp(1.644854 * sigma), 0.04 * median);
  EXPECT_NEAR(static_cast<double>(risk.p5.count()), median * std::exp(-1.644854 * sigma), 0.04 * median);
  ASSERT_TRUE(risk.meets);
  EXPECT_NEAR(risk.meets->share, 0.5, 0.04);
  EXPECT_LT(risk.meets->low, risk.meets->share);
  EXPECT_GT(risk.meets->high, risk.meets->share);
  // It is the whole chain, and a quarter longer it moves the end by a quarter.
  ASSERT_EQ(risk.jobs.size(), 1U);
  EXPECT_EQ(risk.jobs[0].critical, 1);
  EXPECT_NEAR(risk.jobs[0].moves_ms, 0.25 * 1e6, 0.25 * 1e6 * 4 * spread / 10);
}

TEST(Risk, WithoutSpreadIsTheNominalPlan) {
  const Workload batch = small_batch(6);
  const SlotPool pool{3, 2};
  Plan plan = in_order(batch, pool);
  value_plan(plan, {shared(batch), {pool}});
  RiskOptions options;
  options.samples = 7;
  for (const std::int64_t spare : {-1, 0}) {
    options.deadline = plan.makespan + ms(spare);
    const Risk risk = risk_of(batch, pool, 0, options);
    EXPECT_EQ(risk.p5, plan.makespan);
    EXPECT_EQ(risk.p95, plan.makespan);
    EXPECT_EQ(risk.mean, plan.makespan);
    EXPECT_EQ(risk.meets->seen, spare < 0 ? 0 : 7);
  }
}

TEST(Risk, IsTheSameOnOneProcessor) {
  const Workload batch = small_batch(7);
  RiskOptions options;
  options.samples = 150;
  const auto figures = [&] {
    const Risk risk = risk_of(batch, {3, 2}, 0.3, options, 0.2);
    std::vector<double> all = {static_cast<double>(risk.mean.count()), static_cast<double>(risk.p95.count())};
    for (const JobRisk& job : risk.jobs) all.insert(all.end(), {double(job.job), job.critical, job.moves_ms});
    return all;
  };
  const std::vector<double> side_by_side = figures();
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  EXPECT_EQ(side_by_side, figures());
}

TEST(Risk, TheJobAtTheEndOfTheChainLeads) {
  Workload batch{{Job{}, Job{}, Job{}}};
  for (std::size_t i = 0; i < 3; ++i) batch.jobs[i].id = fmt::format("J{}", i);
  batch.jobs[0].maps = {ms(1000)};  // beside the others
  batch.jobs[1].maps = {ms(5000)};
  batch.jobs[1].reduces = {ms(90'000)};
  batch.jobs[2].maps = {ms(20'000)};
  RiskOptions options;
  options.samples = 60;
  options.longer = 0.5;
  const Risk risk = risk_of(batch, {3, 1}, 0.1, options);
  ASSERT_EQ(risk.jobs.size(), 1U);
  EXPECT_EQ(risk.jobs[0].job, 1U);
  EXPECT_EQ(risk.chains, 60);
  EXPECT_NEAR(risk.jobs[0].moves_ms, 0.5 * 95'000, 5000);
}

TEST(Risk, EachJobIsStretchedAlone) {
  Workload batch{{Job{}, Job{}}};
  batch.jobs[0].id = std::string(1, 'a');
  batch.jobs[0].maps = {ms(1000), ms(3000)};
  batch.jobs[1].id = std::string(1, 'b');
  batch.jobs[1].maps = {ms(2000)};
  RiskOptions options;
  options.samples = 5;
  options.longer = 0.5;
  const Risk risk = risk_of(batch, {1, 1}, 0, options);
  ASSERT_EQ(risk.jobs.size(), 2U);
  EXPECT_EQ(risk.jobs[0].job, 0U);
  EXPECT_EQ(risk.jobs[0].moves_ms, 2000);
  EXPECT_EQ(risk.jobs[1].moves_ms, 1000);
}

TEST(Risk, StoppedAtOnceHasNothing) {
  const std::atomic<bool> stopped{true};
  const Workload batch = small_batch(3);
  const Risk risk = assess_risk(
      in_order(batch, {1, 1}), {{1, 1}}, [&](std::uint64_t) { return batch; }, {}, quiet,
      Stop(std::nullopt, &stopped));
  EXPECT_TRUE(risk.partial);
  EXPECT_EQ(risk.samples, 0);
  EXPECT_TRUE(risk.jobs.empty());
}

}  // namespace
}  // namespace wavewright
