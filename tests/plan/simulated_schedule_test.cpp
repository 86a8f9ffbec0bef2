// Orders of batches that no list schedule models: tasks of length 0, slow-start below 1, workflows.
#include "wavewright/plan/schedule/simulated_schedule.h"

#include <algorithm>
#include <numeric>

#include "tests/property.h"
#include "tests/sim/worlds.h"
#include "wavewright/plan/evaluate.h"
#include "wavewright/plan/methods/late_acceptance.h"
#include "wavewright/plan/schedule/any_schedule.h"

namespace wavewright {
namespace {

std::vector<JobIndex> some_order(std::size_t jobs) {
  std::vector<JobIndex> order(jobs);
  std::iota(order.begin(), order.end(), JobIndex{0});
  for (std::size_t i = jobs; i > 1; --i) std::swap(order[i - 1], order[*rc::gen::inRange<std::size_t>(0, i)]);
  return order;
}

TEST(SimulatedSchedule, IsWorthWhatThePlanOfTheOrdersIs) {
  holds_always(
      [] {
        Workload batch = worlds::some_workload();
        if (*rc::gen::arbitrary<bool>()) worlds::depend(batch);
        const SlotCluster cluster{{*rc::gen::inRange<Count>(1, 5), *rc::gen::inRange<Count>(1, 4)},
                                  *rc::gen::element(1.0, 0.5, 0.0)};
        const TwoOrders orders{some_order(batch.jobs.size()), some_order(batch.jobs.size())};
        const Plan plan = plan_of_orders({shared(batch), cluster}, "", orders);
        const PlanValue value{plan.makespan, plan.total_completion};
        SimulatedSchedule simulated(batch, cluster);
        RC_ASSERT(simulated.value(orders.maps, orders.reduces) == value);
        AnySchedule any(batch, cluster);
        RC_ASSERT(any.value(orders.maps, orders.reduces) == value);
        RC_ASSERT(std::ranges::equal(any.ends(), simulated.ends()));
        RC_ASSERT(std::ranges::equal(any.map_ends(), simulated.map_ends()));
      },
      500);
}

// Jobs with a map of no length: `best` and `exhaustive` search among them as among others.
TEST(SimulatedSchedule, LetsBestAndExhaustiveSearchAmongTasksOfNoLength) {
  holds_always(
      [] {
        Workload batch = worlds::some_workload();
        if (batch.jobs.size() > 5) batch.jobs.resize(5);
        for (Job& job : batch.jobs) job.maps.push_back(ms(0));
        const SlotCluster cluster{{3, 2}, *rc::gen::element(1.0, 0.5)};
        PlanningProblem problem{shared(batch), cluster};
        problem.evaluations = 300;
        Duration least = Duration::max();
        std::vector<JobIndex> order(batch.jobs.size());
        std::iota(order.begin(), order.end(), JobIndex{0});
        do {
          least = std::min(least, plan_of_orders(problem, "", {order, order}).makespan);
        } while (std::next_permutation(order.begin(), order.end()));
        const Plan single = plan_by("exhaustive", problem, Stop());
        RC_ASSERT(single.makespan == least);
        RC_ASSERT(single.best_single_order);
        RC_ASSERT(plan_by("best", problem, Stop()).makespan <= least);
      },
      60, 16);
}

}  // namespace
}  // namespace wavewright
