#include "wavewright/plan/methods/genetic.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "tests/plan/small_batch.h"

namespace wavewright {
namespace {

TEST(GeneticSearch, ImprovesFromGenerationToGeneration) {
  const Workload batch = small_batch(15);
  AnySchedule evaluator(batch, {{2, 2}});
  std::vector<Duration> values;
  for (const std::uint64_t generations : {1, 5, 200}) {
    Random random(3, "test");
    const GeneticResult found =
        genetic_search(evaluator, Objective::total_completion, {20, generations, 0.2}, {}, random, Stop());
    EXPECT_EQ(found.evaluations, 20 + 19 * (generations - 1)) << "the best is kept, not looked at again";
    EXPECT_EQ(evaluator.value(found.order), found.value);
    std::vector<JobIndex> jobs = found.order;
    std::sort(jobs.begin(), jobs.end());
    EXPECT_EQ(std::unique(jobs.begin(), jobs.end()), jobs.end()) << "each job once";
    values.push_back(found.value.total_completion);
  }
  EXPECT_GE(values[0], values[1]);
  EXPECT_GT(values[1], values[2]);
}

TEST(GeneticSearch, ChildrenChange) {
  const Workload batch = small_batch(15);
  AnySchedule evaluator(batch, {{2, 2}});
  std::vector<JobIndex> one(15);
  std::iota(one.begin(), one.end(), 0U);
  Random first(3, "test"), second(3, "test");
  const auto with = genetic_search(evaluator, Objective::total_completion, {20, 30, 1}, one, first, Stop());
  const auto without =
      genetic_search(evaluator, Objective::total_completion, {20, 30, 0}, one, second, Stop());
  EXPECT_NE(with.order, without.order);
}

TEST(GeneticSearch, SaysThatItWasStopped) {
  const Workload batch = small_batch(15);
  AnySchedule evaluator(batch, {{2, 2}});
  Random random(3, "test");
  const GeneticSizes sizes{20, 1, 0.2};
  EXPECT_FALSE(genetic_search(evaluator, Objective::makespan, sizes, {}, random, Stop()).stopped);
  const GeneticResult cut =
      genetic_search(evaluator, Objective::makespan, sizes, {}, random, Stop(std::chrono::nanoseconds(0)));
  EXPECT_TRUE(cut.stopped) << "also in the first generation";
  EXPECT_EQ(cut.order.size(), 15U);
}

TEST(GeneticSearch, StartsFromAnOrderThatIsGiven) {
  const Workload batch = small_batch(15);
  AnySchedule evaluator(batch, {{2, 2}});
  Random first(3, "test"), second(4, "test");
  const GeneticResult good =
      genetic_search(evaluator, Objective::makespan, {20, 200, 0.2}, {}, first, Stop());
  const GeneticResult again =
      genetic_search(evaluator, Objective::makespan, {2, 1, 0.2}, good.order, second, Stop());
  EXPECT_EQ(again.value.makespan, good.value.makespan);
}

// Also where the list schedule models nothing: it is simulated.
TEST(AnySchedule, KnowsSlowStart) {
  const Workload batch = small_batch(6);
  const std::vector<JobIndex> order = {3, 0, 1, 2, 5, 4};
  for (const double slowstart : {1.0, 0.0}) {
    AnySchedule evaluator(batch, {{30, 1}, slowstart});
    EXPECT_EQ(evaluator.value(order), evaluate(TaskTable(batch), order, {{30, 1}, slowstart}));
  }
  EXPECT_NE(AnySchedule(batch, {{30, 1}, 0}).value(order), AnySchedule(batch, {{30, 1}, 1}).value(order));
}

}  // namespace
}  // namespace wavewright
