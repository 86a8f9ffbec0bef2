// The papers' worked examples: two jobs 42/24, five jobs 47/78, pools 39/40.
#include <algorithm>
#include <numeric>

#include "wavewright/core/error.h"
#include "wavewright/plan/bounds/lower_bound.h"
#include "wavewright/plan/evaluate.h"
#include "wavewright/plan/methods/johnson.h"
#include "wavewright/plan/methods/orders.h"
#include "wavewright/plan/planner.h"

namespace wavewright {
namespace {

// `tasks` maps of `map` seconds and as many reduces of `reduce` seconds.
Job job_of(const std::string& id, std::size_t tasks, int map, int reduce) {
  Job job;
  job.id = id;
  job.maps.assign(tasks, ms(1000 * map));
  job.reduces.assign(tasks, ms(1000 * reduce));
  return job;
}

Workload five_jobs(std::size_t others, std::size_t large) {
  return {{job_of("J1", others, 4, 5), job_of("J2", others, 1, 4), job_of("J3", large, 30, 4),
           job_of("J4", large, 6, 30), job_of("J5", others, 2, 3)}};
}

Plan plan_with(const std::string& method, const Workload& batch, SlotPool pool) {
  return planner(method)->plan({shared(batch), {pool}, Objective::makespan, 1}, Stop());
}

TEST(TwoJobs, Take42SecondsInOneOrderAnd24InTheOther) {
  const Workload batch{{job_of("J1", 1, 20, 2), job_of("J2", 1, 2, 20)}};
  EXPECT_EQ(plan_with("submission", batch, {1, 1}).makespan, ms(42'000));
  const Plan best = plan_with("johnson", batch, {1, 1});
  EXPECT_EQ(best.makespan, ms(24'000));
  EXPECT_EQ(best.order, (std::vector<std::string>{"J2", "J1"}));
  EXPECT_TRUE(best.proved_optimal);
}

TEST(FiveJobs, TakeFrom47To78SecondsByOrder) {
  const Workload batch = five_jobs(1, 1);
  const Plan best = plan_with("johnson", batch, {1, 1});
  EXPECT_EQ(best.order, (std::vector<std::string>{"J2", "J5", "J1", "J4", "J3"}));
  EXPECT_EQ(best.makespan, ms(47'000));
  EXPECT_EQ(plan_with("reverse-johnson", batch, {1, 1}).makespan, ms(78'000));

  const TaskTable tasks(batch);
  std::vector<JobIndex> order = {0, 1, 2, 3, 4};
  Duration least = Duration::max(), most{};
  do {
    const Duration makespan = evaluate(tasks, order, {{1, 1}}).makespan;
    least = std::min(least, makespan);
    most = std::max(most, makespan);
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(least, ms(47'000));
  EXPECT_EQ(most, ms(78'000));
}

TEST(FiveJobs, TakeOnlyAsLongAsTheSlowerOfTwoPools) {
  const Workload batch = five_jobs(30, 20);
  EXPECT_EQ(plan_with("johnson", batch, {30, 30}).makespan, ms(47'000));
  for (const char* method : {"balanced-pools", "balanced-pools-sweep"}) {
    const Plan plan = plan_with(method, batch, {30, 30});
    EXPECT_EQ(plan.makespan, ms(40'000)) << method;
    ASSERT_EQ(plan.pools.size(), 2U) << method;
    EXPECT_EQ(plan.pools[0].slots, (SlotPool{20, 20})) << method;
    EXPECT_EQ(plan.pools[0].jobs, (std::vector<std::string>{"J4", "J3"})) << method;
  }
}

// Sizes with a slot for each task are all alike: it need not try them.
TEST(FiveJobs, OnSlotsWithoutNumber) {
  const Workload batch = five_jobs(3, 2);
  const Duration enough = plan_with("balanced-pools-sweep", batch, {1000, 2}).makespan;
  EXPECT_EQ(plan_with("balanced-pools-sweep", batch, {Count{1} << 31, 2}).makespan, enough);
}

TEST(FiveJobs, TenSlotsHoldTheOtherThreeFor39Seconds) {
  const Workload all = five_jobs(30, 20);
  const Workload others{{all.jobs[0], all.jobs[1], all.jobs[4]}};
  EXPECT_EQ(plan_with("johnson", others, {10, 10}).makespan, ms(39'000));
}

TEST(Johnson, IsTheBestOfAllOrdersInItsOwnAbstraction) {
  const std::vector<StageTimes> jobs = {
      {ms(4), ms(5)}, {ms(1), ms(4)}, {ms(30), ms(4)}, {ms(6), ms(30)}, {ms(2), ms(3)}};
  EXPECT_EQ(johnson_order(jobs), (std::vector<JobIndex>{1, 4, 0, 3, 2}));
  EXPECT_EQ(two_stage_makespan(jobs, johnson_order(jobs)), ms(47));
}

TEST(Planner, SuggestsTheNearestMethod) {
  try {
    (void)planner("jonson");
    FAIL() << "a method that does not exist was found";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("did you mean 'johnson'?"));
  }
}

}  // namespace
}  // namespace wavewright
