// The fewest slots for a deadline, beside all orders on all pools.
#include "wavewright/plan/analysis/fewest_slots.h"

#include <algorithm>
#include <numeric>

#include "tests/plan/analysis/some_plan.h"
#include "tests/property.h"
#include "wavewright/core/error.h"
#include "wavewright/plan/analysis/slot_range.h"
#include "wavewright/sched/policies/plan_policy.h"
#include "wavewright/sim/simulate.h"

namespace wavewright {
namespace {

const auto quiet = [](SlotPool) {};

Workload tiny_batch() {
  Workload batch;
  const auto jobs = *rc::gen::inRange(1, 4);
  for (int i = 0; i < jobs; ++i) {
    Job job;
    job.id = fmt::format("J{}", i + 1);
    job.submit = at_ms(*rc::gen::inRange(0, 10));
    job.maps = worlds::some_durations(*rc::gen::inRange<std::size_t>(i == 0 ? 1 : 0, 4), false);
    job.reduces = worlds::some_durations(*rc::gen::inRange<std::size_t>(i == 0 ? 1 : 0, 3), false);
    if (*rc::gen::arbitrary<bool>()) job.shuffles = worlds::some_durations(job.reduces.size(), true);
    batch.jobs.push_back(std::move(job));
  }
  return batch;
}

// The least makespan of one pool over all pairs of orders.
Duration best_of_all(const Workload& batch, SlotPool pool) {
  std::vector<JobIndex> order(batch.jobs.size());
  std::iota(order.begin(), order.end(), 0U);
  std::optional<Duration> best;
  Plan plan;
  do {
    plan.order = plan.map_order = ids_of(batch, order);
    std::vector<JobIndex> reduces(order.size());
    std::iota(reduces.begin(), reduces.end(), 0U);
    do {
      plan.reduce_order = ids_of(batch, reduces);
      plan.pools = {{pool, plan.order}};
      const auto policy = make_plan_policy(plan, pool);
      const Duration makespan = simulate(batch, *policy, {pool, 1.0, false}).makespan;
      if (!best || makespan < *best) best = makespan;
    } while (std::next_permutation(reduces.begin(), reduces.end()));
  } while (std::next_permutation(order.begin(), order.end()));
  return *best;
}

struct Tasks {
  Count maps = 0, reduces = 0;
};
Tasks tasks_of(const Workload& batch) {
  Tasks tasks;
  for (const Job& job : batch.jobs) {
    tasks.maps += static_cast<Count>(job.maps.size());
    tasks.reduces += static_cast<Count>(job.reduces.size());
  }
  return tasks;
}

std::vector<SlotPool> pools_of(const Tasks& tasks, const PoolWish& wish, Count count) {
  std::vector<SlotPool> pools;
  for (Count maps = 0; maps <= count; ++maps) {
    const SlotPool pool{wish.map_slots.value_or(wish.reduce_slots ? count : maps),
                        wish.reduce_slots.value_or(wish.map_slots ? count : count - maps)};
    const bool serves =
        (tasks.maps == 0 || pool.map_slots > 0) && (tasks.reduces == 0 || pool.reduce_slots > 0);
    const SlotPool like = wish.like ? pool_like(*wish.like, count) : SlotPool{};
    if (wish.like && (pool.map_slots != like.map_slots || pool.reduce_slots != like.reduce_slots)) continue;
    if (serves) pools.push_back(pool);
  }
  return pools;
}

TEST(FewestSlots, MeetTheDeadlineAndFewerThanProvedCannot) {
  int found_some = 0, proved = 0, none = 0;
  holds_always(
      [&] {
        const Workload batch = tiny_batch();
        const Tasks tasks = tasks_of(batch);
        SlotsProblem problem{shared(batch), ms(*rc::gen::inRange(1, *rc::gen::element(20, 200, 3000)))};
        const int wish = *rc::gen::inRange(0, 4);
        if (wish == 1) problem.wish.map_slots = *rc::gen::inRange(1, 4);
        if (wish == 2) problem.wish.reduce_slots = *rc::gen::inRange(1, 4);
        if (wish == 3) problem.wish.like = SlotPool{*rc::gen::inRange(1, 3), *rc::gen::inRange(1, 3)};
        const auto none_with = [&](Count count) {
          for (const SlotPool pool : pools_of(tasks, problem.wish, count)) {
            if (best_of_all(batch, pool) <= problem.deadline) return false;
          }
          return true;
        };
        try {
          const FewestSlots found = fewest_slots(problem, quiet, {});
          ++found_some;
          const auto policy = make_plan_policy(found.plan, found.pool);
          const SimulationResult result = simulate(batch, *policy, {found.pool, 1.0, false});
          RC_ASSERT(result.makespan == found.plan.makespan);
          RC_ASSERT(result.makespan <= problem.deadline);
          RC_ASSERT(found.plan.lower_bound <= result.makespan);
          RC_ASSERT(found.at_least <= found.slots);
          const std::vector<SlotPool> allowed = pools_of(tasks, problem.wish, found.slots);
          RC_ASSERT(std::any_of(allowed.begin(), allowed.end(), [&](SlotPool pool) {
            return pool.map_slots == found.pool.map_slots && pool.reduce_slots == found.pool.reduce_slots;
          }));
          for (Count count = 1; count < found.at_least; ++count) RC_ASSERT(none_with(count));
          if (found.bound_with_one_less > Duration{}) {
            for (const SlotPool pool : pools_of(tasks, problem.wish, found.slots - 1))
              RC_ASSERT(best_of_all(batch, pool) >= found.bound_with_one_less);
          }
          if (!found.proved()) return;
          ++proved;
          RC_ASSERT(found.bound_with_one_less == Duration{} || found.bound_with_one_less > problem.deadline);
        } catch (const Infeasible& answer) {
          ++none;
          if (answer.problem().find("no number of slots") != 0) return;
          for (Count count = 1; count <= tasks.maps + tasks.reduces; ++count) RC_ASSERT(none_with(count));
        }
      },
      1500);
  EXPECT_GT(found_some, 0);
  EXPECT_GT(proved, 0);
  EXPECT_GT(none, 0);
}

TEST(FewestSlots, OfOneJobByHand) {
  Workload batch{{Job{}}};
  batch.jobs[0].id = std::string(1, 'J');
  batch.jobs[0].maps.assign(8, ms(10));
  batch.jobs[0].reduces.assign(6, ms(20));
  // 8 maps and 6 reduces: on 4 + 3 slots 2·10 + 2·20 = 60; 6 slots allow no such pair.
  const FewestSlots found = fewest_slots({shared(batch), ms(60)}, quiet, {});
  EXPECT_EQ(found.slots, 7);
  EXPECT_TRUE(found.proved());
  EXPECT_EQ(found.plan.makespan, ms(60));
  EXPECT_GT(found.bound_with_one_less, ms(60));
  // With 2 map slots the maps take 40, the reduces all 6 slots.
  PoolWish beside;
  beside.map_slots = 2;
  EXPECT_EQ(fewest_slots({shared(batch), ms(60), beside}, quiet, {}).slots, 6);
  EXPECT_THROW((void)fewest_slots({shared(batch), ms(59), beside}, quiet, {}), Infeasible);
  // Without slots of a kind that has tasks there is no schedule.
  beside.map_slots = 0;
  EXPECT_THROW((void)fewest_slots({shared(batch), ms(60), beside}, quiet, {}), Infeasible);
}

// With a slot for every task nothing waits but for its own job's maps.
TEST(FewestSlots, AreFoundWhereASlotForEveryTaskIsEnough) {
  holds_always(
      [] {
        worlds::Shape plain;
        plain.shuffles = false;
        const Workload batch = worlds::some_workload(plain);
        const Tasks tasks = tasks_of(batch);
        RC_PRE(tasks.maps > 0 && tasks.reduces > 0);
        Duration least{};
        for (const Job& job : batch.jobs) {
          Duration map{}, reduce{};
          for (const Duration length : job.maps) map = std::max(map, length);
          for (const Duration length : job.reduces) reduce = std::max(reduce, length);
          least = std::max(least, job.submit - Time{} + map + reduce);
        }
        RC_PRE(least > Duration{});
        SlotsProblem problem{shared(batch), least + ms(*rc::gen::inRange(0, 5))};
        problem.evaluations = 50;
        const FewestSlots found = fewest_slots(problem, quiet, {});
        RC_ASSERT(found.plan.makespan <= problem.deadline);
        problem.deadline = least - ms(1);
        RC_ASSERT_THROWS_AS((void)fewest_slots(problem, quiet, {}), Infeasible);
      },
      300);
}

TEST(FewestSlots, OfManyReducesInWaves) {
  Workload batch{{Job{}}};
  batch.jobs[0].id = std::string(1, 'J');
  batch.jobs[0].maps = {ms(10)};
  batch.jobs[0].reduces.assign(100, ms(10));
  for (Count waves = 1; waves <= 30; ++waves) {
    const FewestSlots found = fewest_slots({shared(batch), ms(10 + 10 * waves)}, quiet, {});
    EXPECT_EQ(found.pool.map_slots, 1);
    EXPECT_EQ(found.pool.reduce_slots, (100 + waves - 1) / waves) << waves;
    EXPECT_TRUE(found.proved());
  }
}

// A method that is far from the bounds, so that the search has a way to go between them and its plans.
TEST(FewestSlots, TheMethodHasNoPlanWithOneSlotLess) {
  int open = 0;
  holds_always(
      [&] {
        const Workload batch = worlds::some_workload();
        SlotsProblem problem{shared(batch), ms(*rc::gen::inRange(1, *rc::gen::element(200, 2000, 9000)))};
        problem.method = *rc::gen::element<std::string>("submission", "random");
        problem.wish.reduce_slots = *rc::gen::inRange(1, 4);
        try {
          const FewestSlots found = fewest_slots(problem, quiet, {});
          if (found.slots < 2 || found.pool.map_slots < 2) return;
          const SlotPool less{found.pool.map_slots - 1, found.pool.reduce_slots};
          RC_ASSERT(plan_by(problem.method, {shared(batch), {less}}, {}).makespan > problem.deadline);
          if (found.slots > found.at_least + 3) ++open;
        } catch (const Infeasible&) {
        }
      },
      2000);
  if (sized(2000) < 2000) return;  // in fewer cases there may be none
  EXPECT_GT(open, 0);
}

TEST(FewestSlots, SaysWhatDecidesWhereNoneIsEnough) {
  Workload batch{{Job{}, Job{}}};
  batch.jobs[0].id = "short";
  batch.jobs[0].maps = {ms(10)};
  batch.jobs[1].id = "long";
  batch.jobs[1].maps = {ms(50)};
  batch.jobs[1].reduces = {ms(60)};
  try {
    (void)fewest_slots({shared(batch), ms(100)}, quiet, {});
    FAIL();
  } catch (const Infeasible& answer) {
    EXPECT_NE(answer.problem().find("110ms at least"), std::string::npos) << answer.problem();
    EXPECT_NE(answer.problem().find("long's reduce (60ms) decides the end at 110ms"), std::string::npos);
  }
}

TEST(FewestSlots, OfBatchesWithoutOneKind) {
  Workload batch{{Job{}}};
  batch.jobs[0].id = std::string(1, 'J');
  batch.jobs[0].maps.assign(8, ms(10));
  const FewestSlots found = fewest_slots({shared(batch), ms(20)}, quiet, {});
  EXPECT_EQ(found.pool.map_slots, 4);
  EXPECT_EQ(found.pool.reduce_slots, 0);
  EXPECT_TRUE(found.proved());
}

}  // namespace
}  // namespace wavewright
