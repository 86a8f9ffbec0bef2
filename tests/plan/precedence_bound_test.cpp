// Bounds of workflows: never above what any schedule is worth.
#include <algorithm>

#include "tests/plan/workflows.h"
#include "tests/property.h"
#include "tests/sim/small_jobs.h"
#include "wavewright/plan/bounds/completion_bound.h"
#include "wavewright/plan/bounds/lower_bound.h"
#include "wavewright/plan/bounds/precedence_times.h"
#include "wavewright/plan/evaluate.h"

namespace wavewright {
namespace {

// Any two orders, slow-start, shuffles and submissions.
TEST(PrecedenceBounds, HoldForEverySimulatedWorkflow) {
  holds_always(
      [] {
        const Workload batch = worlds::some_workflow();
        const SimulationOptions options = worlds::some_options();
        const std::size_t jobs = batch.jobs.size();
        const SimulationResult result = worlds::simulated(batch, options.pool, worlds::some_order(jobs),
                                                          worlds::some_order(jobs), options.slowstart);
        for (const Effort effort : {Effort::thorough, Effort::quick}) {
          RC_ASSERT(makespan_bounds(batch, options.pool, effort).best() <= result.makespan);
          RC_ASSERT(total_completion_bound(batch, options.pool, effort) <= result.total_completion);
        }
        const PrecedenceTimes times = precedence_times(batch, options.pool);
        for (std::size_t job = 0; job < jobs; ++job) {
          RC_ASSERT(result.jobs[job].rejected || at_ms(times.heads[job]) <= result.jobs[job].start);
          RC_ASSERT(result.jobs[job].finish + ms(times.tails[job]) <= Time{} + result.makespan);
        }
        const std::vector<double> ones(jobs, 1.0);
        RC_ASSERT(weighted_completion_bound(batch, options.pool, ones) <=
                  static_cast<double>(to_ms(result.total_completion)));
      },
      10'000);
}

TEST(PrecedenceBounds, HoldForTheBestOfAllPairsOfOrders) {
  holds_always(
      [] {
        Workload batch = worlds::some_positive_workflow();
        batch.jobs.resize(std::min<std::size_t>(batch.jobs.size(), 4));
        for (Job& job : batch.jobs) job.after.clear();
        worlds::depend(batch);
        const SlotPool pool{*rc::gen::inRange(1, 4), *rc::gen::inRange(1, 4)};
        WorkflowSchedule schedule(batch, pool);
        PlanValue best{Duration::max(), Duration::max()};
        std::vector<JobIndex> maps(batch.jobs.size());
        std::iota(maps.begin(), maps.end(), 0U);
        do {
          std::vector<JobIndex> reduces(batch.jobs.size());
          std::iota(reduces.begin(), reduces.end(), 0U);
          do {
            const PlanValue value = schedule.value(maps, reduces);
            best.makespan = std::min(best.makespan, value.makespan);
            best.total_completion = std::min(best.total_completion, value.total_completion);
          } while (std::next_permutation(reduces.begin(), reduces.end()));
        } while (std::next_permutation(maps.begin(), maps.end()));
        const Duration bound = makespan_bounds(batch, pool).best();
        RC_ASSERT(bound <= best.makespan);
        RC_ASSERT(demand_bound(batch, pool, bound, Stop(), 1e6) <= best.makespan);
        RC_ASSERT(total_completion_bound(batch, pool) <= best.total_completion);
      },
      1'000);
}

// Without `after` more is allowed.
TEST(PrecedenceBounds, AreNoWeakerThanWithoutPrecedence) {
  holds_always(
      [] {
        const Workload batch = worlds::some_workflow();
        const SlotPool pool{*rc::gen::inRange(1, 6), *rc::gen::inRange(1, 6)};
        RC_ASSERT(makespan_bounds(batch, pool).best() >=
                  makespan_bounds(without_precedence(batch), pool).best());
      },
      2'000);
}

// A fork: a takes 4 + 3; of b, c and d the maps are 12 of work on two slots; then e, 2 + 1.
TEST(PrecedenceBounds, ByHand) {
  const Workload batch{{job_after("a", {4}, {3}, {}), job_after("b", {4}, {}, {"a"}),
                        job_after("c", {4}, {}, {"a"}), job_after("d", {4}, {}, {"a"}),
                        job_after("e", {2}, {1}, {"b", "c", "d"})}};
  const PrecedenceTimes times = precedence_times(batch, {2, 1});
  EXPECT_EQ(times.heads, (std::vector<std::int64_t>{0, 7, 7, 7, 13}));
  EXPECT_EQ(times.tails, (std::vector<std::int64_t>{9, 3, 3, 3, 0}));
  EXPECT_EQ(times.makespan, 16);
  const PrecedenceTimes quick = precedence_times(batch, {2, 1}, false);
  EXPECT_EQ(quick.heads, (std::vector<std::int64_t>{0, 7, 7, 7, 11})) << "the chain alone";
  EXPECT_EQ(quick.makespan, 16) << "the loads of all";
  EXPECT_EQ(makespan_bounds(batch, {2, 1}).best(), ms(16));
  EXPECT_GE(total_completion_bound(batch, {2, 1}), ms(7 + 11 + 11 + 11 + 16)) << "everyone's chain";
}

TEST(PrecedenceBounds, OneMachineWithHeadsAndTails) {
  EXPECT_EQ(end_of_tails({}), 0);
  EXPECT_EQ(end_of_tails({{5, 2, 1}}), 8);
  // The second interrupts the first: 0–3 and 5–6, 3–5.
  EXPECT_EQ(end_of_tails({{0, 4, 1}, {3, 2, 9}}), 14);
  EXPECT_EQ(end_of_tails({{0, 4, 1}, {0, 2, 9}, {0, 0, 20}}), 20);
}

}  // namespace
}  // namespace wavewright
