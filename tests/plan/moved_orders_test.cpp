// Orders that differ by a move from the kept ones, beside schedules made anew.
#include "wavewright/plan/schedule/moved_orders.h"

#include <algorithm>
#include <numeric>

#include "tests/plan/small_batch.h"
#include "tests/plan/workflows.h"
#include "tests/property.h"
#include "tests/sim/worlds.h"
#include "wavewright/core/random.h"
#include "wavewright/plan/methods/order_annealing.h"
#include "wavewright/plan/schedule/any_schedule.h"

namespace wavewright {
namespace {

OrderMove some_move(std::size_t jobs, Random& random) {
  return {random.below(jobs), random.below(jobs), random.below(2) == 0};
}

// Walks from a random pair of orders: each value must be that of a fresh schedule of these orders.
void walk(const Workload& batch, SlotCluster cluster, std::uint64_t seed, int steps) {
  Random random(seed, "test");
  TwoOrders orders{std::vector<JobIndex>(batch.jobs.size()), {}};
  std::iota(orders.maps.begin(), orders.maps.end(), JobIndex{0});
  orders.reduces = orders.maps;
  random.shuffle(std::span(orders.maps));
  random.shuffle(std::span(orders.reduces));
  const std::unique_ptr<MovedOrders> schedule = moved_orders(batch, cluster);
  AnySchedule fresh(batch, cluster);
  ASSERT_EQ(schedule->start(orders), fresh.value(orders.maps, orders.reduces));
  for (int step = 0; step < steps; ++step) {
    MovedOrders::Move move;
    const std::uint64_t which = random.below(4);
    if (which != 0) move.maps = some_move(batch.jobs.size(), random);
    if (which != 1) move.reduces = some_move(batch.jobs.size(), random);
    if (which == 3) move = {};
    TwoOrders tried = orders;
    move_job(move.maps, tried.maps);
    move_job(move.reduces, tried.reduces);
    const PlanValue value = fresh.value(tried.maps, tried.reduces);
    const std::int64_t last = to_ms(value.makespan), sum = to_ms(value.total_completion);
    const std::int64_t less = static_cast<std::int64_t>(random.below(3));
    // Limits that the value keeps never give none; limits that it breaks give none or the value.
    const auto kept = schedule->value_within(move, last, sum);
    ASSERT_TRUE(kept.has_value()) << step;
    ASSERT_EQ(*kept, value) << step;
    const auto broken = schedule->value_within(move, last - less, sum - less);
    ASSERT_TRUE(!broken || *broken == value) << step;
    ASSERT_TRUE(broken || less > 0) << step;
    if (random.below(3) > 0) continue;
    ASSERT_EQ(schedule->value_within(move, no_time, no_time), value) << step;
    ASSERT_TRUE(std::ranges::equal(schedule->ends(), fresh.ends())) << step;
    schedule->keep();
    orders = tried;
    ASSERT_TRUE(std::ranges::equal(schedule->kept_maps(), orders.maps)) << step;
    ASSERT_TRUE(std::ranges::equal(schedule->kept_reduces(), orders.reduces)) << step;
    for (std::size_t place = 0; place < orders.maps.size(); ++place) {
      ASSERT_EQ(schedule->place_in_maps(orders.maps[place]), place);
      ASSERT_EQ(schedule->place_in_reduces(orders.reduces[place]), place);
    }
  }
}

SlotCluster cluster_of(SlotPool pool, double slowstart = 1) {
  SlotCluster cluster;
  cluster.pool = pool;
  cluster.slowstart = slowstart;
  return cluster;
}

// Long enough for many kept states; together or one by one, all lengths different or in waves.
TEST(MovedOrders, OfManyJobsHaveTheValuesOfFreshSchedules) {
  for (const bool alike : {false, true}) {
    for (const int apart : {0, 1, 9, 40}) {
      Workload batch = small_batch(120);
      for (std::size_t i = 0; i < batch.jobs.size(); ++i) {
        Job& job = batch.jobs[i];
        job.submit = Time{} + ms(apart * static_cast<int>(i * 7 % 120));
        if (alike) job.maps.assign(9, job.maps.front());
        if (alike && i % 2 == 0) job.reduces.assign(12, job.reduces.front());
        if (i % 5 == 0) job.reduces.clear();
        if (i % 11 == 3) job.maps.clear();
      }
      walk(batch, cluster_of({5, 3}), 1, sized(400));
      walk(batch, cluster_of({1, 40}), 2, sized(200));
    }
  }
}

TEST(MovedOrders, OfAnyBatchHaveTheValuesOfFreshSchedules) {
  holds_always(
      [] {
        const Workload batch = worlds::some_workload();
        if (batch.jobs.empty()) return;
        const SlotPool pool{*rc::gen::inRange<Count>(1, 6), *rc::gen::inRange<Count>(1, 6)};
        walk(batch, cluster_of(pool, *rc::gen::element(1.0, 1.0, 0.5)), *rc::gen::arbitrary<std::uint64_t>(),
             20);
      },
      300);
}

TEST(MovedOrders, OfWorkflowsHaveTheValuesOfFreshSchedules) {
  Workload batch = small_batch(12);
  for (std::size_t i = 1; i < batch.jobs.size(); i += 2) batch.jobs[i].after = {batch.jobs[i / 2].id};
  walk(batch, cluster_of({3, 2}), 3, 100);
}

// As a search goes: most moves are refused by a limit, and what is kept is good, so that many jobs wait.
TEST(MovedOrders, OfWorkflowsHaveTheValuesOfFreshSchedulesInASearch) {
  for (const bool alike : {false, true}) {
    Workload batch = small_batch(90);
    for (std::size_t i = 1; i < batch.jobs.size(); ++i) {
      if (i % 5 < 3) batch.jobs[i].after = {batch.jobs[i * 7 % i].id};
      if (i % 10 == 0) batch.jobs[i].after.push_back(batch.jobs[i / 2].id);
      if (alike) batch.jobs[i].maps.assign(9, batch.jobs[i].maps.front());
      if (i % 13 == 3) batch.jobs[i].reduces.clear();
      if (i % 17 == 3) batch.jobs[i].maps.clear();
      batch.jobs[i].submit = Time{} + ms(static_cast<int>(i * 11 % 90));
    }
    const SlotCluster cluster = cluster_of({5, 3});
    Random random(5, "test");
    TwoOrders orders = usual_orders(batch, cluster.pool).front();
    const std::unique_ptr<MovedOrders> schedule = moved_orders(batch, cluster);
    AnySchedule fresh(batch, cluster);
    PlanValue now = schedule->start(orders);
    int kept = 0;
    for (int step = 0; step < sized(20'000); ++step) {
      MovedOrders::Move move;
      if (random.below(3) != 0) move.maps = some_move(batch.jobs.size(), random);
      if (random.below(3) != 0) move.reduces = some_move(batch.jobs.size(), random);
      TwoOrders tried = orders;
      move_job(move.maps, tried.maps);
      move_job(move.reduces, tried.reduces);
      const bool of_total = step % 2 == 0;
      const PlanValue value = fresh.value(tried.maps, tried.reduces);
      const std::int64_t more = random.below(20) == 0 ? static_cast<std::int64_t>(random.below(30)) : 0;
      const std::int64_t latest = of_total ? no_time : to_ms(now.makespan) + more,
                         total = of_total ? to_ms(now.total_completion) + more : no_time;
      const std::optional<PlanValue> found = schedule->value_within(move, latest, total);
      const bool within = to_ms(value.makespan) <= latest && to_ms(value.total_completion) <= total;
      ASSERT_TRUE(found || !within) << step;
      if (!found || !within) continue;
      ASSERT_EQ(*found, value) << step;
      ASSERT_TRUE(std::ranges::equal(schedule->ends(), fresh.ends())) << step;
      schedule->keep();
      ++kept;
      orders = tried;
      now = value;
      if (random.below(500) == 0) {
        ASSERT_EQ(schedule->start(orders), now);
      }
    }
    EXPECT_GT(kept, 500);
  }
}

TEST(OrderAnnealing, NeverLosesItsStartAndIsTheSameAgain) {
  const Workload batch = small_batch(40);
  for (const Objective objective : {Objective::makespan, Objective::total_completion}) {
    const PlanningProblem problem{shared(Workload(batch)), cluster_of({6, 3}), objective, 1};
    AnySchedule schedule(batch, problem.cluster);
    const std::vector<TwoOrders> starts = usual_orders(batch, problem.cluster.pool);
    double least = 1e18;
    for (const TwoOrders& start : starts)
      least = std::min(least,
                       static_cast<double>(to_ms(schedule.value(start.maps, start.reduces).of(objective))));
    for (const std::size_t chains : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
      const SearchLimits limits{6'000, ms(1), {}};
      const OrderSearchResult once = anneal_orders(starts, problem, 7, limits, chains, {});
      const OrderSearchResult again = anneal_orders(starts, problem, 7, limits, chains, {});
      EXPECT_EQ(once.best, again.best);
      EXPECT_EQ(static_cast<double>(to_ms(schedule.value(once.best.maps, once.best.reduces).of(objective))),
                once.cost);
      EXPECT_LE(once.cost, objective == Objective::makespan ? least : 0.99 * least);
      EXPECT_FALSE(once.stopped);
      // Each chain also evaluates the starts and what it takes over.
      EXPECT_GE(once.evaluations, limits.evaluations - chains);
      EXPECT_LE(once.evaluations, limits.evaluations + chains * (starts.size() + 33));
    }
  }
}

TEST(OrderAnnealing, EndsAtItsTarget) {
  const Workload batch = small_batch(40);
  const PlanningProblem problem{shared(Workload(batch)), cluster_of({6, 3}), Objective::makespan, 1};
  const std::vector<TwoOrders> starts = usual_orders(batch, problem.cluster.pool);
  const OrderSearchResult found =
      anneal_orders(starts, problem, 7, {1'000'000'000, Duration::max(), {}}, 2, {});
  EXPECT_LT(found.evaluations, 100U);
}

}  // namespace
}  // namespace wavewright
