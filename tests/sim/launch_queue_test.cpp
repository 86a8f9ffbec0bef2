// Launches that share processors: what the engines' property tests reach only by luck.
#include "wavewright/sim/kernel/launch_queue.h"

#include <gtest/gtest.h>

namespace wavewright::sim {
namespace {

std::vector<LaunchQueue::Id> over_at(LaunchQueue& queue, std::uint64_t now) {
  std::vector<LaunchQueue::Id> over;
  queue.run(now, [&](LaunchQueue::Id id) { over.push_back(id); });
  return over;
}

TEST(LaunchQueue, GoesOnAtFullSpeedAsLongAsThereAreProcessors) {
  LaunchQueue queue(2, 1);
  const auto a = queue.enter(0, 0, 10, 0), b = queue.enter(0, 0, 10, 0);
  EXPECT_TRUE(over_at(queue, 0).empty());
  EXPECT_EQ(queue.next(), 10U);
  EXPECT_EQ(over_at(queue, 10), (std::vector{a, b}));
  EXPECT_EQ(queue.next(), LaunchQueue::never);
}

TEST(LaunchQueue, SharesThemOtherwise) {
  LaunchQueue queue(1, 1);
  const auto a = queue.enter(0, 0, 10, 0), b = queue.enter(0, 4, 10, 0);
  EXPECT_TRUE(over_at(queue, 0).empty());
  EXPECT_EQ(queue.next(), 4U);
  EXPECT_TRUE(over_at(queue, 4).empty());
  EXPECT_EQ(queue.next(), 16U) << "6 ms of work at half speed";
  EXPECT_EQ(over_at(queue, 16), std::vector{a});
  EXPECT_EQ(queue.next(), 20U) << "alone for the last 4";
  EXPECT_EQ(over_at(queue, 20), std::vector{b});
}

TEST(LaunchQueue, ForgetsWhatIsCancelled) {
  LaunchQueue queue(1, 1);
  const auto a = queue.enter(0, 0, 10, 0), b = queue.enter(0, 0, 10, 0), c = queue.enter(0, 7, 10, 0);
  EXPECT_TRUE(over_at(queue, 0).empty());
  queue.cancel(c, 2);
  EXPECT_EQ(queue.next(), 20U) << "not 7: nothing comes in then";
  queue.cancel(b, 4);
  EXPECT_EQ(queue.next(), 12U) << "2 of 10 ms were done at half speed";
  EXPECT_EQ(over_at(queue, 12), std::vector{a});
  queue.cancel(a, 12);  // it is over: no matter
  EXPECT_EQ(queue.next(), LaunchQueue::never);
}

TEST(LaunchQueue, SaysWhatIsLeft) {
  LaunchQueue queue(1, 1);
  const auto a = queue.enter(0, 0, 10, 0), b = queue.enter(0, 4, 10, 0);
  EXPECT_TRUE(over_at(queue, 4).empty());
  EXPECT_EQ(queue.left(a, 10), 3 * launch_unit) << "4 ms alone, 3 of 6 shared";
  EXPECT_EQ(queue.left(b, 10), 7 * launch_unit);
}

// Speeds are whole parts of 2^20 a ms: of more at once than that none may stand still.
TEST(LaunchQueue, GoesOnHoweverManyThereAre) {
  EXPECT_EQ(launch_speed(1, 2), launch_unit / 2);
  EXPECT_EQ(launch_speed(1, 1U << 20), 1U);
  EXPECT_EQ(launch_speed(1, 1U << 24), 1U);
}

TEST(LaunchQueue, LetsInAtOnceWhatComesNow) {
  LaunchQueue queue(1, 1);
  const auto a = queue.enter(0, 5, 10, 5);
  EXPECT_EQ(queue.next(), 15U) << "not 5: at an instant at which launches begin nothing more happens";
  EXPECT_EQ(over_at(queue, 15), std::vector{a});
}

TEST(LaunchQueue, KeepsPoolsApart) {
  LaunchQueue queue(1, 2);
  const auto a = queue.enter(0, 0, 10, 0), b = queue.enter(1, 0, 10, 0);
  EXPECT_TRUE(over_at(queue, 0).empty());
  EXPECT_EQ(over_at(queue, 10), (std::vector{a, b}));
}

}  // namespace
}  // namespace wavewright::sim
