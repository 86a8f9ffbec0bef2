#include "wavewright/plan/methods/annealing.h"

#include <numeric>

#include <gtest/gtest.h>

#include "tests/plan/small_batch.h"

namespace wavewright {
namespace {

PriorityRule in_turn(const Workload& batch, SlotPool pool) {
  std::vector<JobIndex> order(batch.jobs.size());
  std::iota(order.begin(), order.end(), JobIndex{0});
  return priority_rule_of_orders(batch, pool, order, order);
}

TEST(Annealing, FindsTheSameAgainAndNothingWorse) {
  const Workload batch = small_batch(12);
  for (const Objective objective : {Objective::makespan, Objective::total_completion}) {
    PrioritySchedule schedule(batch, 1);
    const PriorityRule start = in_turn(batch, {3, 2});
    const PlanValue value = schedule.value(start);
    Annealing search(schedule, objective, 5), again(schedule, objective, 5), other(schedule, objective, 6);
    const PriorityRule found = search.run(std::span(&start, 1), {2'000, {}}, Stop());
    EXPECT_EQ(search.evaluations(), 2'000U);
    EXPECT_FALSE(search.stopped());
    EXPECT_LT(search.value().of(objective), value.of(objective));
    EXPECT_EQ(schedule.value(found), search.value());
    EXPECT_EQ(again.run(std::span(&start, 1), {2'000, {}}, Stop()), found);
    other.run(std::span(&start, 1), {2'000, {}}, Stop());
    EXPECT_NE(other.best(), found);
  }
}

TEST(Annealing, StopsWhereNothingIsBetter) {
  const Workload batch = small_batch(6);
  PrioritySchedule schedule(batch, 1);
  const PriorityRule start = in_turn(batch, {3, 2});
  Annealing search(schedule, Objective::makespan, 1);
  search.run(std::span(&start, 1), {1'000, ms(1'000'000)}, Stop());
  EXPECT_EQ(search.evaluations(), 1U);
}

TEST(Annealing, StopsWhenItIsTold) {
  const Workload batch = small_batch(6);
  PrioritySchedule schedule(batch, 1);
  const PriorityRule start = in_turn(batch, {3, 2});
  Annealing search(schedule, Objective::makespan, 1);
  search.run(std::span(&start, 1), {1'000, {}}, Stop(std::chrono::nanoseconds(0)));
  EXPECT_TRUE(search.stopped());
  EXPECT_EQ(search.best(), start);
}

TEST(Annealing, OfOneJobOrNoneThereIsNothingToSearch) {
  for (const std::size_t jobs : {std::size_t{0}, std::size_t{1}}) {
    const Workload batch = small_batch(static_cast<int>(jobs));
    PrioritySchedule schedule(batch, 1);
    const PriorityRule start = in_turn(batch, {3, 2});
    Annealing search(schedule, Objective::makespan, 1);
    EXPECT_EQ(search.run(std::span(&start, 1), {1'000, {}}, Stop()), start);
    EXPECT_EQ(search.evaluations(), 1U);
  }
}

TEST(Annealing, CapsThatNothingNeedsGo) {
  const Workload batch = small_batch(8);
  PrioritySchedule schedule(batch, 1);
  PriorityRule rule = in_turn(batch, {3, 2});
  const PlanValue value = schedule.value(rule);
  rule.maps.cap.assign(8, 3);  // as many as there are slots
  const PriorityRule simple = without_needless_caps(rule, schedule, Objective::makespan);
  EXPECT_EQ(simple, in_turn(batch, {3, 2}));
  EXPECT_EQ(schedule.value(simple), value);
  // A cap that is needed stays: one slot for the long job lets the short ones go beside it.
  Workload two = small_batch(2);
  two.jobs[0].maps = {ms(10), ms(10)};
  two.jobs[1].maps = {ms(20)};
  two.jobs[1].reduces = {ms(100)};
  PriorityRule capped = in_turn(two, {2, 1});
  capped.maps.cap[0] = 1;
  EXPECT_EQ(without_needless_caps(capped, schedule = PrioritySchedule(two, 1), Objective::makespan), capped);
}

// Whatever it tries keeps to the slots there are, with every job in a pool that can serve it.
TEST(Annealing, KeepsToTheSlots) {
  const Workload batch = small_batch(9);
  const SlotPool pool{12, 9};
  std::size_t most_pools = 1, caps = 0, steps = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    PrioritySchedule schedule(batch, 1);
    Annealing search(schedule, Objective::total_completion, seed);
    PriorityRule start = in_turn(batch, pool);
    start.pools = {{4, 4}, {6, 2}, {2, 3}};
    for (JobIndex job = 0; job < start.jobs(); ++job) start.pool_of[job] = job % 3;
    const PriorityRule found = search.run(std::span(&start, 1), {10'000, {}}, Stop());
    SlotPool sum;
    for (const SlotPool& part : found.pools) {
      EXPECT_GT(part.map_slots, 0);
      EXPECT_GT(part.reduce_slots, 0);
      sum.map_slots += part.map_slots;
      sum.reduce_slots += part.reduce_slots;
    }
    EXPECT_EQ(sum, pool);
    for (const std::uint32_t of : found.pool_of) EXPECT_LT(of, found.pools.size());
    for (const PriorityRule::Stage* stage : {&found.maps, &found.reduces}) {
      for (const std::uint32_t cap : stage->cap) caps += cap == PriorityRule::uncapped ? 0 : 1;
      for (const PriorityRule::Stage::Steps& each : stage->steps)
        steps += each == PriorityRule::Stage::Steps() ? 0 : 1;
    }
    most_pools = std::max(most_pools, found.pools.size());
  }
  EXPECT_GT(caps, 0U);
  EXPECT_GT(steps, 0U);
  EXPECT_GT(most_pools, 1U);
}

}  // namespace
}  // namespace wavewright
