// The best single order, beside trying them all one by one.
#include "wavewright/plan/methods/exhaustive.h"

#include <algorithm>
#include <numeric>

#include "tests/property.h"
#include "tests/sim/worlds.h"
#include "wavewright/core/error.h"
#include "wavewright/plan/schedule/list_schedule.h"

namespace wavewright {
namespace {

TEST(Exhaustive, IsTheBestOfAllOrders) {
  holds_always(
      [] {
        Workload batch = worlds::some_workload();
        if (batch.jobs.size() > 5) batch.jobs.resize(5);
        for (Job& job : batch.jobs) {
          job.submit = Time{};
          for (auto* lengths : {&job.maps, &job.reduces}) {
            for (Duration& length : *lengths) length += ms(1);
          }
        }
        if (batch.jobs.size() > 1 && *rc::gen::arbitrary<bool>()) {  // two alike
          const std::string id = batch.jobs.back().id;
          batch.jobs.back() = batch.jobs.front();
          batch.jobs.back().id = id;
        }
        const Objective objective = *rc::gen::element(Objective::makespan, Objective::total_completion);
        const PlanningProblem problem{batch, {*rc::gen::inRange(1, 5), *rc::gen::inRange(1, 5)}, objective};
        const auto exhaustive = make_exhaustive();
        RC_PRE(exhaustive->refuses(problem).empty());
        ListSchedule schedule(batch, problem.pool);
        std::vector<JobIndex> order(batch.jobs.size());
        std::iota(order.begin(), order.end(), 0U);
        Duration best = Duration::max();
        do {
          best = std::min(best, schedule.value(order).of(objective));
        } while (std::next_permutation(order.begin(), order.end()));
        RC_ASSERT(exhaustive->plan(problem, Stop()).value() == best);
      },
      3'000);
}

TEST(Exhaustive, SaysWhatItDoesNotTry) {
  Workload batch;
  for (int i = 0; i < 13; ++i) {
    Job job;
    job.id = fmt::format("J{}", i);
    job.maps = {ms(1 + i)};
    batch.jobs.push_back(job);
  }
  EXPECT_THROW((void)plan_by("exhaustive", {batch, {1, 1}}, Stop()), UsageError);
  batch.jobs.resize(2);
  EXPECT_EQ(plan_by("exhaustive", {batch, {1, 1}}, Stop()).makespan, ms(3));
  batch.jobs[1].submit = at_ms(1);
  EXPECT_THROW((void)plan_by("exhaustive", {batch, {1, 1}}, Stop()), UsageError);
}

}  // namespace
}  // namespace wavewright
