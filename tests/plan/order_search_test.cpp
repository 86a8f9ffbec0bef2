#include "wavewright/plan/methods/order_search.h"

#include <gtest/gtest.h>

#include "tests/plan/small_batch.h"

namespace wavewright {
namespace {

TwoOrders in_turn(std::size_t jobs) {
  TwoOrders orders;
  for (JobIndex job = 0; job < jobs; ++job) orders.maps.push_back(job);
  orders.reduces = orders.maps;
  return orders;
}

TEST(OrderSearch, FindsTheSameAgainAndNothingWorse) {
  const Workload batch = small_batch(12);
  for (const Objective objective : {Objective::makespan, Objective::total_completion}) {
    ListSchedule schedule(batch, {3, 2});
    const Value start = schedule.value(in_turn(12).maps);
    OrderSearch search(schedule, objective, 5), again(schedule, objective, 5), other(schedule, objective, 6);
    const TwoOrders found = search.run(in_turn(12), {2'000, {}}, Stop());
    EXPECT_EQ(search.evaluations(), 2'000U);
    EXPECT_FALSE(search.stopped());
    EXPECT_LT(search.value().of(objective), start.of(objective));
    EXPECT_EQ(schedule.value(found.maps, found.reduces), search.value());
    EXPECT_EQ(again.run(in_turn(12), {2'000, {}}, Stop()), found);
    other.run(in_turn(12), {2'000, {}}, Stop());
    EXPECT_NE(other.best(), found);
  }
}

TEST(OrderSearch, StopsWhereNothingIsBetter) {
  const Workload batch = small_batch(6);
  ListSchedule schedule(batch, {3, 2});
  OrderSearch search(schedule, Objective::makespan, 1);
  search.run(in_turn(6), {1'000, ms(1'000'000)}, Stop());
  EXPECT_EQ(search.evaluations(), 1U);
}

TEST(OrderSearch, StopsWhenItIsTold) {
  const Workload batch = small_batch(6);
  ListSchedule schedule(batch, {3, 2});
  OrderSearch search(schedule, Objective::makespan, 1);
  search.run(in_turn(6), {1'000, {}}, Stop(std::chrono::nanoseconds(0)));
  EXPECT_TRUE(search.stopped());
  EXPECT_EQ(search.best(), in_turn(6));
}

TEST(OrderSearch, OfOneJobOrNoneThereIsNothingToSearch) {
  for (const std::size_t jobs : {std::size_t{0}, std::size_t{1}}) {
    const Workload batch = small_batch(static_cast<int>(jobs));
    ListSchedule schedule(batch, {3, 2});
    OrderSearch search(schedule, Objective::makespan, 1);
    EXPECT_EQ(search.run(in_turn(jobs), {1'000, {}}, Stop()), in_turn(jobs));
    EXPECT_EQ(search.evaluations(), 1U);
  }
}

}  // namespace
}  // namespace wavewright
