// The evaluator of orders beside the simulator, whose model it shares.
#include "wavewright/plan/schedule/list_schedule.h"

#include <algorithm>
#include <numeric>

#include "tests/plan/small_batch.h"
#include "tests/plan/workflows.h"
#include "tests/property.h"
#include "tests/sim/worlds.h"
#include "wavewright/core/random.h"
#include "wavewright/plan/evaluate.h"
#include "wavewright/plan/methods/orders.h"
#include "wavewright/sched/policies/plan_policy.h"

namespace wavewright {
namespace {

std::vector<std::string> names(const Workload& batch, const std::vector<JobIndex>& order) {
  std::vector<std::string> ids;
  for (const JobIndex job : order) ids.push_back(batch.jobs[job].id);
  return ids;
}

// Also of lengths that are all alike in a job, so that both kinds of slots are used.
Workload some_batch() {
  Workload batch = worlds::some_workload();
  if (!worlds::lengthen(batch)) return batch;
  for (Job& job : batch.jobs) {
    if (!job.reduces.empty()) worlds::multiply_maps(job);
  }
  return batch;
}

// Of many jobs, whose schedule of maps goes on from where the last order was the same: alike or not.
TEST(ListSchedule, IsTheSameWhateverWasScheduledBefore) {
  for (const bool alike : {false, true}) {
    Workload batch = small_batch(200);
    for (Job& job : batch.jobs) {
      if (alike) job.maps.assign(9, job.maps.front());
    }
    const SlotPool pool{3, 2};
    ListSchedule schedule(batch, pool);
    std::vector<JobIndex> order = submission_order(batch);
    Random random(1, "test");
    for (int change = 0; change < 300; ++change) {
      const std::size_t one = random.below(order.size());
      std::swap(order[one], order[random.below(4) == 0 ? one : order.size() - 1 - random.below(20)]);
      ListSchedule fresh(batch, pool);
      ASSERT_EQ(schedule.value(order), fresh.value(order)) << change;
      ASSERT_TRUE(std::ranges::equal(schedule.map_ends(), fresh.map_ends())) << change;
      if (random.below(10) > 0) continue;
      const std::vector<std::int64_t> ends(order.size(), 7);
      (void)schedule.value_of_reduces(order, ends);
    }
  }
}

TEST(ListSchedule, IsWorthWhatTheSimulatorSays) {
  int alike = 0;
  holds_always(
      [&] {
        const Workload batch = some_batch();
        const SlotPool pool{*rc::gen::inRange(1, 6), *rc::gen::inRange(1, 6)};
        RC_PRE(ListSchedule::models(batch, {pool}));
        ListSchedule schedule(batch, pool);
        for (int again = 0; again < 3; ++again) {
          const std::vector<JobIndex> maps = worlds::some_order(batch.jobs.size());
          const std::vector<JobIndex> reduces =
              *rc::gen::arbitrary<bool>() ? maps : worlds::some_order(batch.jobs.size());
          Plan plan;
          plan.order = plan.map_order = names(batch, maps);
          plan.reduce_order = names(batch, reduces);
          plan.pools = {{pool, plan.order}};
          const auto policy = make_plan_policy(plan, pool);
          const SimulationResult result = simulate(batch, *policy, {pool, 1, false});
          const PlanValue value = schedule.value(maps, reduces);
          RC_ASSERT(value.makespan == result.makespan);
          RC_ASSERT(value.total_completion == result.total_completion);
          for (JobIndex job = 0; job < batch.jobs.size(); ++job) {
            RC_ASSERT(at_ms(schedule.map_ends()[job]) == result.jobs[job].maps_done);
            RC_ASSERT(at_ms(schedule.ends()[job]) == result.jobs[job].finish);
          }
        }
        ++alike;
      },
      20'000);
  EXPECT_GT(alike, 0);
}

TEST(ListSchedule, SaysWhatItDoesNotModel) {
  Workload batch{{Job{}}};
  batch.jobs[0].id = std::string(1, 'J');
  batch.jobs[0].maps = {ms(1)};
  EXPECT_TRUE(ListSchedule::models(batch, {{1, 0}}));
  EXPECT_FALSE(ListSchedule::models(batch, {{1, 0}, 0.5}));
  EXPECT_FALSE(ListSchedule::models(batch, {{0, 1}}));
  batch.jobs[0].reduces = {ms(0)};
  EXPECT_FALSE(ListSchedule::models(batch, {{1, 1}}));
  batch.jobs[0].shuffles = {ms(1)};
  batch.jobs[0].first_shuffles = {ms(0)};
  EXPECT_FALSE(ListSchedule::models(batch, {{1, 1}}));
  batch.jobs[0].first_shuffles = {ms(1)};
  EXPECT_TRUE(ListSchedule::models(batch, {{1, 1}}));
  batch.jobs[0].maps = {ms(std::int64_t{1} << 61)};
  EXPECT_FALSE(ListSchedule::models(batch, {{1, 1}}));
}

TEST(ListSchedule, OfNothingIsNothing) {
  ListSchedule schedule(Workload{}, {1, 1});
  EXPECT_EQ(schedule.value({}), PlanValue{});
}

}  // namespace
}  // namespace wavewright
