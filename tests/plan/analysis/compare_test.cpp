// Two plans job by job.
#include "wavewright/plan/analysis/compare.h"

#include "tests/plan/analysis/some_plan.h"
#include "tests/property.h"
#include "wavewright/sched/policies/plan_policy.h"
#include "wavewright/sim/simulate.h"

namespace wavewright {
namespace {

Workload two_jobs() {
  Workload batch{{Job{}, Job{}}};
  batch.jobs[0].id = "long";
  batch.jobs[0].maps = {ms(40)};
  batch.jobs[0].reduces = {ms(10)};
  batch.jobs[1].id = "short";
  batch.jobs[1].maps = {ms(10)};
  batch.jobs[1].reduces = {ms(30)};
  return batch;
}

Plan of(std::vector<std::string> order, SlotPool pool) {
  Plan plan;
  plan.order = std::move(order);
  plan.pools = {{pool, plan.order}};
  return plan;
}

TEST(ComparePlans, ByHand) {
  const Workload batch = two_jobs();
  const SlotPool pool{1, 1};
  const Plan a = of({"long", "short"}, pool), b = of({"short", "long"}, pool);
  const PlanComparison found = compare_plans(batch, {a, {pool}}, {b, {pool}});
  // A: maps 0–40, 40–50; reduces 40–50, 50–80. B: maps 0–10, 10–50; reduces 10–40, 50–60.
  EXPECT_EQ(found.makespan_a, ms(80));
  EXPECT_EQ(found.makespan_b, ms(60));
  EXPECT_EQ(found.total_a, ms(130));
  EXPECT_EQ(found.total_b, ms(100));
  EXPECT_EQ(found.earlier, 1);
  EXPECT_EQ(found.later, 1);
  ASSERT_EQ(found.jobs.size(), 2U);
  EXPECT_EQ(batch.jobs[found.jobs[0].job].id, "short");  // −40 before +10
  EXPECT_EQ(found.jobs[0].change(), ms(-40));
  EXPECT_EQ(in_words(found.jobs[0]), "place 2 to 1, waits 40ms less for its first slot");
  EXPECT_EQ(found.jobs[0].a.waited, ms(40));
  EXPECT_EQ(found.jobs[0].a.reduces_waited, ms(0));
  EXPECT_EQ(found.jobs[1].change(), ms(10));
  EXPECT_EQ(in_words(found.jobs[1]), "place 1 to 2, waits 10ms longer for its first slot");
}

TEST(ComparePlans, PoolsAndWaitsOfReduces) {
  const Workload batch = two_jobs();
  const SlotPool pool{2, 2};
  const Plan a = of({"long", "short"}, pool);
  Plan b = of({"long", "short"}, pool);
  b.pools = {{{1, 1}, {"long"}}, {{1, 1}, {"short"}}};
  const PlanComparison apart = compare_plans(batch, {a, {pool}}, {b, {pool}});
  EXPECT_EQ(apart.earlier + apart.later, 0);
  EXPECT_EQ(in_words(apart.jobs[1]), "pool 1 to 2");
  EXPECT_EQ(in_words(apart.jobs[0]), "");
  // On one reduce slot: short's first at 10, long's at 40, short's second at 50, 40 after its maps.
  Workload more = batch;
  more.jobs[1].reduces.push_back(ms(30));
  const Plan few = of({"long", "short"}, {2, 1});
  const PlanComparison wait = compare_plans(more, {a, {pool}}, {few, {{2, 1}}});
  EXPECT_EQ(in_words(wait.jobs[0]), "40ms longer from maps to its last reduce");
}

TEST(ComparePlans, ChangesAreTheSimulatorsAndSortedAndAntisymmetric) {
  holds_always(
      [] {
        const Workload batch = worlds::some_workload();
        const SlotPool pool{3, 3};
        const Plan a = some_plan(batch, pool), b = some_plan(batch, pool);
        const double slowstart = *rc::gen::element(1.0, 0.4);
        const PlanComparison there = compare_plans(batch, {a, {pool, slowstart}}, {b, {pool, slowstart}});
        const PlanComparison back = compare_plans(batch, {b, {pool, slowstart}}, {a, {pool, slowstart}});
        const auto finish = [&](const Plan& plan) {
          const auto policy = make_plan_policy(plan, pool);
          return simulate(batch, *policy, {pool, slowstart, false}).jobs;
        };
        const auto in_a = finish(a), in_b = finish(b);
        RC_ASSERT(there.jobs.size() == batch.jobs.size());
        RC_ASSERT(there.earlier == back.later && there.later == back.earlier);
        for (std::size_t i = 0; i < there.jobs.size(); ++i) {
          const JobChange& change = there.jobs[i];
          RC_ASSERT(change.a.finish == in_a[change.job].finish && change.b.finish == in_b[change.job].finish);
          RC_ASSERT(change.job == back.jobs[i].job && change.change() == -back.jobs[i].change());
          RC_ASSERT(change.a.place >= 1 && change.a.place <= batch.jobs.size());
          if (i > 0)
            RC_ASSERT(std::chrono::abs(there.jobs[i - 1].change()) >= std::chrono::abs(change.change()));
          const auto& names = (b.pools[change.b.pool - 1]).jobs;
          RC_ASSERT(std::count(names.begin(), names.end(), batch.jobs[change.job].id) == 1);
        }
      },
      300);
}

}  // namespace
}  // namespace wavewright
