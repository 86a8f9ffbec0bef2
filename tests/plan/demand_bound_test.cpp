#include "wavewright/plan/bounds/demand_bound.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "tests/plan/demand_by_letter.h"
#include "tests/plan/small_batch.h"
#include "tests/property.h"
#include "wavewright/core/random.h"
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
        PlanningProblem problem{shared(batch), {pool}};
        problem.evaluations = 500;
        const Plan plan = plan_by("best", problem, Stop());
        RC_ASSERT(plan.lower_bound <= plan.makespan);
        // Also from below what else is known, so that it finds all by itself.
        const Duration less = makespan_bounds(batch, pool).best() * 9 / 10;
        RC_ASSERT(demand_bound(batch, pool, less, Stop()) <= plan.makespan);
      },
      50, 12);
}

// By the letter: when all is done if the jobs' maps end then, ms; infinite where the maps' demand is too
// much.
double done_by(const std::vector<DemandJob>& jobs, const std::vector<double>& ends) {
  double done = 0;
  for (double t = 0; t <= 40'000; t += 250) {
    double maps = 0, reduces = 0;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      done = std::max(done, ends[j] + static_cast<double>(jobs[j].tail));
      maps += maps_before(jobs[j], ends[j], t);
      reduces += reduces_after(jobs[j], ends[j], t);
    }
    if (maps > t) return std::numeric_limits<double>::infinity();
    if (reduces > 0) done = std::max(done, t + reduces);
  }
  return done;
}

// One slot a stage and two jobs of few tasks: no larger than for the best of all ends, and not much smaller.
TEST(DemandBound, IsNoMoreThanTheBestEndsAskFor) {
  double sum = 0;
  const int batches = 100;
  for (int batch = 0; batch < batches; ++batch) {
    Random random(static_cast<std::uint64_t>(batch), "demand_bound_test");
    const auto draw = [&](std::uint64_t most) {
      return 500 * static_cast<std::int64_t>(1 + random.below(most));
    };
    std::vector<DemandJob> jobs(2);
    std::int64_t known = 0;
    for (DemandJob& job : jobs) {
      for (std::uint64_t i = 1 + random.below(3); i > 0; --i) job.maps.push_back(draw(8));
      for (std::uint64_t i = 1 + random.below(3); i > 0; --i) job.reduces.push_back(draw(8));
      job.earliest = std::accumulate(job.maps.begin(), job.maps.end(), std::int64_t{0});
      job.tail = std::accumulate(job.reduces.begin(), job.reduces.end(), std::int64_t{0});
      known = std::max(known, job.earliest + job.tail);
    }
    double least = std::numeric_limits<double>::infinity();
    for (double first = 0; first <= 15'000; first += 250) {
      for (double second = 0; second <= 15'000; second += 250) {
        if (first < static_cast<double>(jobs[0].earliest) || second < static_cast<double>(jobs[1].earliest))
          continue;
        least = std::min(least, done_by(jobs, {first, second}));
      }
    }
    const DemandBound bound = demand_bound(jobs, {1, 1}, known, 1e8, Stop());
    EXPECT_LE(static_cast<double>(bound.makespan), least) << batch;
    sum += static_cast<double>(std::min(bound.makespan, known * 114 / 100)) /
           std::min(least, static_cast<double>(known) * 1.14);
  }
  EXPECT_GT(sum / batches, 0.98);
}

TEST(DemandBound, SeesThatBothStagesWantTheSameJobsFirst) {
  const Workload batch = small_batch(10);
  const SlotPool pool{8, 8};
  const Duration others = makespan_bounds(batch, pool).best();
  EXPECT_EQ(others, ms(250));
  const Duration bound = demand_bound(batch, pool, others, Stop());
  EXPECT_GE(bound, ms(257));
  PlanningProblem problem{shared(batch), {pool}};
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
      demand_bound(std::vector<DemandJob>(2, job), {1, 1}, 9600, usual_multiplications, Stop()).makespan;
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
