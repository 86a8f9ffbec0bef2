// The best single order, beside trying them all one by one.
#include "wavewright/plan/methods/exhaustive.h"

#include <algorithm>
#include <numeric>

#include "tests/plan/small_batch.h"
#include "tests/property.h"
#include "tests/sim/worlds.h"
#include "wavewright/core/error.h"
#include "wavewright/plan/bounds/assignment.h"
#include "wavewright/plan/methods/branch_and_bound.h"
#include "wavewright/plan/methods/flow_shop.h"
#include "wavewright/plan/methods/orders.h"
#include "wavewright/plan/schedule/list_schedule.h"

namespace wavewright {
namespace {

void for_every_order(std::size_t jobs, const std::function<void(const std::vector<JobIndex>&)>& seen) {
  std::vector<JobIndex> order(jobs);
  std::iota(order.begin(), order.end(), 0U);
  do {
    seen(order);
  } while (std::next_permutation(order.begin(), order.end()));
}

// Of up to so many jobs, each task 1 ms or longer; now and then two alike, and all there at once.
Workload some_batch(std::size_t most) {
  Workload batch = worlds::some_workload();
  if (batch.jobs.size() > most) batch.jobs.resize(most);
  const bool together = *rc::gen::arbitrary<bool>();
  for (Job& job : batch.jobs) {
    if (together) job.submit = Time{};
    for (auto* lengths : {&job.maps, &job.reduces}) {
      for (Duration& length : *lengths) length += ms(1);
    }
  }
  if (batch.jobs.size() > 1 && *rc::gen::arbitrary<bool>()) {
    const std::string id = batch.jobs.back().id;
    const Time submit = batch.jobs.back().submit;
    batch.jobs.back() = batch.jobs.front();
    batch.jobs.back().id = id;
    if (*rc::gen::arbitrary<bool>()) batch.jobs.back().submit = submit;
  }
  return batch;
}

Objective some_objective() {
  return *rc::gen::element(Objective::makespan, Objective::total_completion);
}

Duration least_of_all(const Workload& batch, const PlanningProblem& problem) {
  ListSchedule schedule(batch, problem.cluster.pool);
  Duration best = Duration::max();
  for_every_order(batch.jobs.size(), [&](const std::vector<JobIndex>& order) {
    best = std::min(best, schedule.value(order).of(problem.objective));
  });
  return best;
}

TEST(Exhaustive, IsTheBestOfAllOrders) {
  holds_always(
      [] {
        const Workload batch = some_batch(5);
        const PlanningProblem problem{
            shared(batch), {{*rc::gen::inRange(1, 5), *rc::gen::inRange(1, 5)}}, some_objective()};
        const auto exhaustive = make_exhaustive();
        RC_PRE(exhaustive->refuses(problem).empty());
        const Plan plan = exhaustive->plan(problem, Stop());
        RC_ASSERT(plan.best_single_order);
        RC_ASSERT(plan.value() == least_of_all(batch, problem));
      },
      4'000);
}

// From the worst order on, so that the tree itself has to find the best.
TEST(OrderTree, FindsTheBestFromAnyStart) {
  holds_always(
      [] {
        const Workload batch = some_batch(6);
        const PlanningProblem problem{
            shared(batch), {{*rc::gen::inRange(1, 4), *rc::gen::inRange(1, 4)}}, some_objective()};
        RC_PRE(ListSchedule::models(batch, {problem.cluster.pool}));
        ListSchedule schedule(batch, problem.cluster.pool);
        std::vector<JobIndex> worst = submission_order(batch);
        for_every_order(batch.jobs.size(), [&](const std::vector<JobIndex>& order) {
          if (schedule.value(order).of(problem.objective) > schedule.value(worst).of(problem.objective))
            worst = order;
        });
        const BranchAndBoundResult found = best_single_order(problem, worst, Duration{}, 1'000'000, Stop());
        RC_ASSERT(found.complete);
        RC_ASSERT(schedule.value(found.order).of(problem.objective) == least_of_all(batch, problem));
      },
      2'000);
}

TEST(OrderTree, SaysWhenItDidNotTryAll) {
  const Workload batch = small_batch(2);
  const PlanningProblem problem{shared(batch), {{2, 1}}, Objective::total_completion};
  EXPECT_FALSE(best_single_order(problem, {0, 1}, Duration{}, 0, Stop()).complete);
  EXPECT_TRUE(best_single_order(problem, {0, 1}, Duration{}, 100, Stop()).complete);
}

std::vector<FlowJob> some_flow_shop(std::size_t most) {
  std::vector<FlowJob> jobs(*rc::gen::inRange<std::size_t>(0, most + 1));
  const int longest = *rc::gen::element(3, 12, 100);
  for (FlowJob& job : jobs) job = {*rc::gen::inRange(1, longest), *rc::gen::inRange(1, longest)};
  return jobs;
}

TEST(FlowShop, IsTheBestOfAllOrders) {
  holds_always(
      [] {
        const std::vector<FlowJob> jobs = some_flow_shop(7);
        std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = -1;
        std::vector<JobIndex> worst;
        for_every_order(jobs.size(), [&](const std::vector<JobIndex>& order) {
          const std::int64_t total = flow_shop_total(jobs, order);
          least = std::min(least, total);
          if (total <= most) return;
          most = total;
          worst = order;
        });
        const FlowShopOrder from_worst = least_total_flow_shop(jobs, 1'000'000, 1, Stop(), worst);
        RC_ASSERT(from_worst.complete);
        RC_ASSERT(from_worst.total == least);
        RC_ASSERT(flow_shop_total(jobs, from_worst.order) == least);
        const FlowShopOrder found = least_total_flow_shop(jobs, 1'000'000, 1, Stop());
        RC_ASSERT(found.complete);
        RC_ASSERT(found.total == least);
        RC_ASSERT(found.bound == least);
        RC_ASSERT(flow_shop_total(jobs, found.order) == least);
        const FlowShopOrder cut =
            least_total_flow_shop(jobs, *rc::gen::inRange<std::uint64_t>(0, 20), 1, Stop());
        RC_ASSERT(cut.bound <= least);
        RC_ASSERT(cut.total >= least);
      },
      1'000);
}

// Of some jobs placed and their lag, the bound of the others is no more than the best order of them takes.
TEST(PositionBound, IsNeverAboveTheBestOrderOfTheRest) {
  int tight = 0, all = 0;
  holds_always(
      [&] {
        const std::vector<FlowJob> jobs = some_flow_shop(6);
        RC_PRE(!jobs.empty());
        const std::uint32_t whole = (1U << jobs.size()) - 1;
        const auto left = static_cast<std::uint32_t>(*rc::gen::inRange<std::uint32_t>(1, whole + 1));
        const std::int64_t lag = left == whole ? 0 : *rc::gen::inRange(0, 60);
        std::vector<std::uint32_t> rest;
        for (std::uint32_t job = 0; job < jobs.size(); ++job) {
          if ((left >> job & 1) != 0) rest.push_back(job);
        }
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        do {
          std::int64_t maps = 0, end = lag, total = 0;
          for (const std::uint32_t job : rest) {
            maps += jobs[job].map;
            end = std::max(end, maps) + jobs[job].reduce;
            total += end;
          }
          least = std::min(least, total);
        } while (std::next_permutation(rest.begin(), rest.end()));
        PositionBound bound(jobs);
        RC_ASSERT(bound.of(bound.assigned(left), left, lag) <= least);
        const std::int64_t before = bound.of(bound.assigned(left), left, lag);
        bound.improve(left, lag, least + *rc::gen::inRange(0, 5), 50);
        const std::int64_t after = bound.of(bound.assigned(left), left, lag);
        RC_ASSERT(after <= least);
        RC_ASSERT(after >= before);
        tight += after == least ? 1 : 0;
        ++all;
      },
      1'000);
  EXPECT_GT(3 * tight, all);
}

TEST(Assignment, IsTheLeastOfAll) {
  holds_always([] {
    const auto size = *rc::gen::inRange<std::size_t>(0, 6);
    std::vector<std::int64_t> costs(size * size);
    for (std::int64_t& cost : costs) cost = *rc::gen::inRange(-20, 20);
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for_every_order(size, [&](const std::vector<JobIndex>& rows) {
      std::int64_t sum = 0;
      for (std::size_t column = 0; column < size; ++column) sum += costs[rows[column] * size + column];
      least = std::min(least, sum);
    });
    RC_ASSERT(assign(costs, size).cost == least);
  });
}

Workload single_tasks(int jobs) {
  Workload batch;
  for (int i = 0; i < jobs; ++i) {
    Job job;
    job.id = fmt::format("J{}", i);
    job.maps = {ms(1 + i * 37 % 100)};
    job.reduces = {ms(1 + i * 53 % 100)};
    batch.jobs.push_back(std::move(job));
  }
  return batch;
}

TEST(Exhaustive, ProvesTwentyJobsOneAfterTheOther) {
  const Workload batch = single_tasks(20);
  const Plan plan = plan_by("exhaustive", {shared(batch), {{1, 1}}, Objective::total_completion}, Stop());
  EXPECT_TRUE(plan.best_single_order);
  EXPECT_TRUE(plan.proved_optimal);
  EXPECT_EQ(plan.lower_bound, plan.total_completion);
}

// Four slots that every job fills twice: the same, but for the proof, as two orders may be better.
TEST(Exhaustive, TakesWholeWavesForOneJobAfterTheOther) {
  Workload batch = single_tasks(14);
  const Duration single =
      plan_by("exhaustive", {shared(batch), {{1, 1}}, Objective::total_completion}, Stop()).total_completion;
  for (Job& job : batch.jobs) {
    job.maps.assign(4, job.maps[0]);
    job.reduces.assign(3, job.reduces[0]);
  }
  const Plan plan = plan_by("exhaustive", {shared(batch), {{4, 3}}, Objective::total_completion}, Stop());
  EXPECT_TRUE(plan.best_single_order);
  EXPECT_EQ(plan.total_completion, single);
  batch.jobs[3].maps.push_back(ms(1));
  EXPECT_FALSE(as_flow_shop(batch, {4, 3}));
}

TEST(Exhaustive, SaysWhatItDoesNotTry) {
  Workload batch = single_tasks(33);
  EXPECT_THROW((void)plan_by("exhaustive", {shared(batch), {{1, 1}}}, Stop()), UsageError);
  batch.jobs.resize(10);
  EXPECT_THROW((void)plan_by("exhaustive", {shared(batch), {{1, 1}, 0.5}}, Stop()), UsageError);
  batch.jobs.resize(2);
  EXPECT_TRUE(plan_by("exhaustive", {shared(batch), {{1, 1}}}, Stop()).best_single_order);
  EXPECT_TRUE(plan_by("exhaustive", {shared(batch), {{1, 1}, 0.5}}, Stop()).best_single_order);
}

}  // namespace
}  // namespace wavewright
