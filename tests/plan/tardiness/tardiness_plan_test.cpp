// Plans with little total tardiness, and their bounds, against all orders of small batches.
#include "wavewright/plan/tardiness/tardiness_plan.h"

#include <algorithm>
#include <numeric>

#include "tests/property.h"
#include "tests/sim/small_jobs.h"
#include "tests/sim/worlds.h"
#include "wavewright/plan/schedule/any_schedule.h"
#include "wavewright/plan/tardiness/tardiness_bound.h"

namespace wavewright {
namespace {

Job due(Job job, int deadline, std::optional<double> cost = std::nullopt) {
  job.deadline = at_ms(deadline);
  job.delay_cost_per_s = cost;
  return job;
}

TardinessPlan planned(const Workload& batch, SlotPool pool, std::uint64_t evaluations = 2'000) {
  return plan_tardiness({&batch, {pool, 1.0}, 1, evaluations}, {});
}

// One slot: A needs 4 s, B 2 s, both due at 3 s. B first: 0 + 3 s; A first: 1 + 3 s.
TEST(TardinessPlan, PutsTheShortJobFirst) {
  const Workload batch{{due(job_of("A", {4'000}, {}), 3'000), due(job_of("B", {2'000}, {}), 3'000)}};
  const TardinessPlan plan = planned(batch, {1, 1});
  EXPECT_EQ(plan.order, (std::vector<JobIndex>{1, 0}));
  EXPECT_EQ(plan.value, 3'000);
  EXPECT_EQ(plan.ends, (std::vector<std::int64_t>{6'000, 2'000}));
  EXPECT_TRUE(plan.best_single_order);
  EXPECT_EQ(plan.makespan, ms(6'000));
}

TEST(TardinessPlan, WeighsJobsByTheirCostOfDelay) {
  const Workload batch{{due(job_of("A", {4'000}, {}), 3'000, 10), due(job_of("B", {2'000}, {}), 3'000)}};
  const TardinessPlan plan = planned(batch, {1, 1});
  EXPECT_EQ(plan.order, (std::vector<JobIndex>{0, 1}));
  EXPECT_EQ(plan.value, 10 * 1'000 + 3'000);
}

TEST(TardinessPlan, ProvesThatNobodyIsLate) {
  const Workload batch{{due(job_of("A", {4'000}, {1'000}), 9'000), due(job_of("B", {2'000}, {}), 2'000)}};
  const TardinessPlan plan = planned(batch, {1, 1});
  EXPECT_EQ(plan.value, 0);
  EXPECT_TRUE(plan.proved_optimal);
}

TEST(TardinessPlan, StopsWithTheBestSoFar) {
  Workload batch;
  for (int i = 0; i < 20; ++i) batch.jobs.push_back(due(job_of("", {1'000 + 37 * i}, {}), 5'000));
  for (std::size_t i = 0; i < batch.jobs.size(); ++i) batch.jobs[i].id = std::to_string(i);
  const std::atomic<bool> stopped = true;
  const TardinessPlan plan = plan_tardiness({&batch, {{1, 1}, 1.0}, 1, 0}, Stop(std::nullopt, &stopped));
  EXPECT_TRUE(plan.partial);
  EXPECT_EQ(plan.order.size(), 20U);
}

Workload some_due_batch() {
  Workload batch = worlds::some_workload();
  if (batch.jobs.size() > 5) batch.jobs.resize(5);
  for (Job& job : batch.jobs) {
    if (*rc::gen::inRange(0, 5) > 0) job.deadline = job.submit + ms(*rc::gen::inRange(0, 60));
    if (*rc::gen::inRange(0, 3) == 0) job.delay_cost_per_s = *rc::gen::element(0.5, 3.0);
  }
  return batch;
}

double value_of(const Workload& batch, std::span<const std::int64_t> ends) {
  double sum = 0;
  const std::vector<double> weights = tardiness_weights(batch);
  for (std::size_t job = 0; job < batch.jobs.size(); ++job) {
    if (!batch.jobs[job].deadline) continue;
    sum += weights[job] *
           static_cast<double>(std::max<std::int64_t>(0, ends[job] - to_ms(*batch.jobs[job].deadline)));
  }
  return sum;
}

// All orders of maps with all orders of reduces: no bound is above any of them, and the plan is the best of
// those with one order.
TEST(TardinessPlan, AgreesWithAllOrdersOfSmallBatches) {
  double ratio = 0;
  int late = 0;
  holds_always(
      [&] {
        const Workload batch = some_due_batch();
        const SlotPool pool{*rc::gen::inRange(1, 4), *rc::gen::inRange(1, 4)};
        AnySchedule schedule(batch, {pool, 1.0});
        std::vector<JobIndex> maps(batch.jobs.size());
        std::iota(maps.begin(), maps.end(), JobIndex{0});
        double best_single = 1e300, best_pair = 1e300;
        const TardinessBound bounds(batch, pool, tardiness_weights(batch));
        double bound = 0;
        do {
          std::vector<JobIndex> reduces(maps.size());
          std::iota(reduces.begin(), reduces.end(), JobIndex{0});
          do {
            (void)schedule.value(maps, reduces);
            const double value = value_of(batch, schedule.ends());
            best_pair = std::min(best_pair, value);
            if (maps == reduces) {
              best_single = std::min(best_single, value);
              bound = std::max(bound, bounds.best(schedule.ends()));
            }
          } while (std::next_permutation(reduces.begin(), reduces.end()));
        } while (std::next_permutation(maps.begin(), maps.end()));
        RC_ASSERT(bound <= best_pair + 1e-6);
        const TardinessPlan plan = planned(batch, pool);
        RC_ASSERT(std::abs(plan.value - best_single) < 1e-6);
        RC_ASSERT(plan.bound <= best_pair + 1e-6);
        RC_ASSERT(plan.best_single_order);
        if (best_pair <= 0) return;
        ratio += plan.bound / best_pair;
        ++late;
      },
      60);
  ASSERT_GT(late, 20);
  EXPECT_GT(ratio / late, 0.5);  // not only valid
}

// More jobs than are tried in all orders: the search is no worse than any rule it starts from.
TEST(TardinessPlan, SearchesLargerBatches) {
  holds_always(
      [] {
        Workload batch = worlds::some_workload();
        for (int copy = 0; copy < 2; ++copy) {
          for (Job job : worlds::some_workload().jobs) {
            job.id += std::to_string(copy) + "x";
            batch.jobs.push_back(job);
          }
        }
        for (Job& job : batch.jobs) job.deadline = job.submit + ms(*rc::gen::inRange(0, 200));
        const TardinessPlan plan = planned(batch, {2, 2}, 300);
        AnySchedule schedule(batch, {{2, 2}, 1.0});
        (void)schedule.value(plan.order);
        RC_ASSERT(std::abs(value_of(batch, schedule.ends()) - plan.value) < 1e-6);
        RC_ASSERT(plan.bound <= plan.value + 1e-6);
        std::vector<JobIndex> by_deadline(batch.jobs.size());
        std::iota(by_deadline.begin(), by_deadline.end(), JobIndex{0});
        std::stable_sort(by_deadline.begin(), by_deadline.end(), [&](JobIndex a, JobIndex b) {
          return *batch.jobs[a].deadline < *batch.jobs[b].deadline;
        });
        (void)schedule.value(by_deadline);
        RC_ASSERT(plan.value <= value_of(batch, schedule.ends()) + 1e-6);
        const TardinessPlan again = planned(batch, {2, 2}, 300);
        RC_ASSERT(again.order == plan.order);
      },
      60);
}

}  // namespace
}  // namespace wavewright
