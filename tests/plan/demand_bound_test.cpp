#include "wavewright/plan/bounds/demand_bound.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/plan/small_batch.h"
#include "tests/property.h"
#include "wavewright/plan/bounds/lower_bound.h"
#include "wavewright/plan/planner.h"

namespace wavewright {
namespace {

Workload drawn_batch() {
  Workload batch;
  const int jobs = *rc::gen::inRange(2, 6);
  const int longest_map = *rc::gen::element(4'000, 40'000), longest_reduce = *rc::gen::element(4'000, 40'000);
  for (int i = 0; i < jobs; ++i) {
    Job job;
    job.id = fmt::format("J{}", i);
    job.submit = at_ms(*rc::gen::weightedElement<int>({{3, 0}, {1, *rc::gen::inRange(0, 60'000)}}));
    const int maps = *rc::gen::inRange(0, 7), reduces = *rc::gen::inRange(maps == 0 ? 1 : 0, 6);
    for (int map = 0; map < maps; ++map) job.maps.push_back(ms(*rc::gen::inRange(1, longest_map)));
    for (int reduce = 0; reduce < reduces; ++reduce)
      job.reduces.push_back(ms(*rc::gen::inRange(1, longest_reduce)));
    batch.jobs.push_back(job);
  }
  return batch;
}

// Plans that are nearly the best possible are not below it.
TEST(DemandBound, HoldsForGoodPlans) {
  holds_always(
      [] {
        const Workload batch = drawn_batch();
        const SlotPool pool{*rc::gen::inRange(1, 5), *rc::gen::inRange(1, 5)};
        PlanningProblem problem{batch, pool};
        problem.evaluations = 500;
        const Plan plan = plan_by("best", problem, Stop());
        RC_ASSERT(plan.lower_bound <= plan.makespan);
        // Also from below what else is known, so that it finds all by itself.
        const Duration less = makespan_bounds(batch, pool).best() * 9 / 10;
        RC_ASSERT(demand_bound(batch, pool, less, Stop()) <= plan.makespan);
      },
      150);
}

TEST(DemandBound, SeesThatBothStagesWantTheSameJobsFirst) {
  const Workload batch = small_batch(10);
  const SlotPool pool{8, 8};
  const Duration others = makespan_bounds(batch, pool).best();
  EXPECT_EQ(others, ms(250));
  const Duration bound = demand_bound(batch, pool, others, Stop());
  EXPECT_GE(bound, ms(257));
  PlanningProblem problem{batch, pool};
  problem.evaluations = 5000;
  EXPECT_LE(bound, plan_by("best", problem, Stop()).makespan);
}

// With its short maps first all of a job's maps start before its longest; with the longest first the others
// may wait.
TEST(DemandBound, KnowsThatMapsStartInTheirOrder) {
  Workload batch = small_batch(10);
  const auto bound = [&] { return demand_bound(batch, {8, 8}, ms(240), Stop()); };
  for (Job& job : batch.jobs) std::sort(job.maps.begin(), job.maps.end());
  const Duration shortest_first = bound();
  for (Job& job : batch.jobs) std::reverse(job.maps.begin(), job.maps.end());
  EXPECT_GT(shortest_first, bound());
}

// Reduces have one slot, which waits for the first maps: 1,150 + 2 · 4,500.
TEST(DemandBound, IsExactWhereOneSlotWaitsForTheFirstMaps) {
  const DemandJob job{{1150}, {4500}, 0, 1150, 4500};
  const std::int64_t bound =
      demand_bound(std::vector<DemandJob>(2, job), {1, 1}, 9600, usual_multiplications, Stop());
  EXPECT_GE(bound, 10'100);
  EXPECT_LE(bound, 10'150);
}

TEST(DemandBound, KeepsWhatIsKnownWhereItIsStopped) {
  const Workload batch = small_batch(10);
  const Duration others = makespan_bounds(batch, {8, 8}).best();
  EXPECT_EQ(demand_bound(batch, {8, 8}, others, Stop(std::chrono::nanoseconds(0))), others);
}

}  // namespace
}  // namespace wavewright
