// Total completion time: what is proved, beside the best of every pair of orders and every split in two
// pools.
#include "wavewright/plan/bounds/completion_bound.h"

#include <algorithm>
#include <numeric>

#include "tests/property.h"
#include "tests/sim/worlds.h"
#include "wavewright/plan/bounds/completion_vector.h"
#include "wavewright/plan/bounds/lower_bound.h"
#include "wavewright/sched/policies/plan_policy.h"

namespace wavewright {
namespace {

using Ids = std::vector<std::string>;

class EveryPlan {
 public:
  EveryPlan(const Workload& batch, const SimulationOptions& options) : batch_(batch), options_(options) {
    for (const Job& job : batch.jobs) ids_.push_back(job.id);
    std::sort(ids_.begin(), ids_.end());
  }
  // Tells `seen` of the outcomes of each.
  void run(const std::function<void(const SimulationResult&)>& seen) const {
    for_orders([&](const Ids& maps) {
      for_orders([&](const Ids& reduces) {
        Plan plan;
        plan.order = plan.map_order = maps;
        plan.reduce_order = reduces;
        seen(outcome(plan));
      });
      for (std::size_t first = 1; first < ids_.size(); ++first) {
        for (Count map_slots = 1; map_slots < options_.pool.map_slots; ++map_slots) {
          const SlotPool part{map_slots, std::max<Count>(1, options_.pool.reduce_slots / 2)};
          const SlotPool rest{options_.pool.map_slots - map_slots,
                              options_.pool.reduce_slots - part.reduce_slots};
          if (rest.reduce_slots < 1) continue;
          const auto cut = maps.begin() + static_cast<std::ptrdiff_t>(first);
          Plan plan;
          plan.order = maps;
          plan.pools = {{part, {maps.begin(), cut}}, {rest, {cut, maps.end()}}};
          seen(outcome(plan));
        }
      }
    });
  }

 private:
  void for_orders(const std::function<void(const Ids&)>& seen) const {
    Ids order = ids_;
    do {
      seen(order);
    } while (std::next_permutation(order.begin(), order.end()));
  }
  [[nodiscard]] SimulationResult outcome(const Plan& plan) const {
    const auto policy = make_plan_policy(plan);
    return simulate(batch_, *policy, options_);
  }

  const Workload& batch_;
  const SimulationOptions options_;
  Ids ids_;
};

double weighted(const SimulationResult& result, const std::vector<double>& weights) {
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i)
    sum += weights[i] * static_cast<double>(to_ms(result.jobs[i].finish - result.jobs[i].submit));
  return sum;
}

TEST(CompletionBound, IsNeverAboveTheBestOfAllPlans) {
  holds_always(
      [] {
        Workload batch = worlds::some_workload();
        if (batch.jobs.size() > 4) batch.jobs.resize(4);
        SimulationOptions options = worlds::some_options();
        options.trace = false;
        std::vector<double> weights;
        for (std::size_t i = 0; i < batch.jobs.size(); ++i)
          weights.push_back(static_cast<double>(*rc::gen::inRange(0, 5)));
        Duration best = Duration::max();
        double best_weighted = std::numeric_limits<double>::max();
        EveryPlan(batch, options).run([&](const SimulationResult& result) {
          best = std::min(best, result.total_completion);
          best_weighted = std::min(best_weighted, weighted(result, weights));
        });
        const CompletionBounds bounds = completion_bounds(batch, options.pool);
        RC_ASSERT(bounds.chain <= best);
        RC_ASSERT(bounds.position <= best);
        RC_ASSERT(bounds.maps <= best);
        RC_ASSERT(bounds.mean_busy_time <= best);
        RC_ASSERT(weighted_completion_bound(batch, options.pool, weights) <= best_weighted);
        RC_ASSERT(total_completion_bound(batch, options.pool) <= best);
      },
      2'000);
}

Workload batch_of(const std::vector<std::pair<std::vector<int>, std::vector<int>>>& jobs) {
  Workload batch;
  for (const auto& [maps, reduces] : jobs) {
    Job job;
    job.id = fmt::format("J{}", batch.jobs.size() + 1);
    for (const int map : maps) job.maps.push_back(ms(map));
    for (const int reduce : reduces) job.reduces.push_back(ms(reduce));
    batch.jobs.push_back(std::move(job));
  }
  return batch;
}

// By hand: maps end at 2, 4, 6 at best; two of the reduces follow a map at once, the third waits or is waited
// for. Neither stage alone gives more than 18.
TEST(CompletionBound, TiesTheStagesTogether) {
  const Workload batch = batch_of({{{2}, {4}}, {{2}, {4}}, {{2}, {4}}});
  const CompletionBounds bounds = completion_bounds(batch, {1, 1});
  EXPECT_EQ(bounds.maps, ms(2 + 4 + 6 + 3 * 4));
  EXPECT_EQ(bounds.position, ms(6 + 10 + 14));  // which the plan has
  EXPECT_EQ(bounds.chain, ms(18));
}

TEST(CompletionBound, TakesTheLargestTailsWhereTheyCannotBeShared) {
  const Workload batch = batch_of({{{3}, {1}}, {{3}, {5}}, {{3}, {9}}});
  EXPECT_EQ(completion_bounds(batch, {1, 3}).maps, ms(3 + 6 + 9 + 15));
}

// Three maps of 2 on two slots end at 2, 2 and 4; as if fluid, at 1, 2 and 3.
TEST(CompletionBound, KnowsThatATaskTakesItsTime) {
  const Workload batch = batch_of({{{2}, {}}, {{2}, {}}, {{2}, {}}});
  EXPECT_EQ(completion_bounds(batch, {2, 1}).mean_busy_time, ms(8));  // 7.5, rounded up
}

TEST(CompletionBound, SquaresAreThoseOfTheBestSharing) {
  EXPECT_DOUBLE_EQ(least_squares({5, 1, 1, 1}, 2), 25 + 9);
  EXPECT_DOUBLE_EQ(least_squares({2, 2, 2}, 2), 18);
  EXPECT_DOUBLE_EQ(least_squares({4}, 3), 16);
  EXPECT_DOUBLE_EQ(least_squares({}, 3), 0);
}

TEST(CompletionBound, SquaresAreNeverAboveAnySharing) {
  holds_always([] {
    std::vector<double> lengths(*rc::gen::inRange<std::size_t>(1, 8));
    for (double& length : lengths) length = *rc::gen::inRange(1, 20);
    const auto slots = *rc::gen::inRange<std::size_t>(1, 4);
    std::vector<double> loads(slots, 0);
    for (const double length : lengths) loads[*rc::gen::inRange<std::size_t>(0, slots)] += length;
    double squares = 0;
    for (const double load : loads) squares += load * load;
    RC_ASSERT(least_squares(lengths, static_cast<std::int64_t>(slots)) <= squares + 1e-9);
  });
}

// A job of 10 is interrupted at 4 by one of 1, and at 9 not by one of 3, than which it has less left.
TEST(ShortestRemaining, EndsByPlace) {
  EXPECT_EQ(shortest_remaining_ends<int>({{0, 10, 0}, {4, 1, 0}, {9, 3, 0}}), (std::vector<int>{5, 11, 14}));
}

// Instants of one work: [0, 4) and [5, 11) of a job of 10, weight 1, and [4, 5) of one of 1.
TEST(LeastBusy, MeansOfWorkThatIsInterrupted) {
  const std::vector<BusyPart> parts = {{0, 10, 1}, {4, 1, 1}};
  EXPECT_DOUBLE_EQ(least_mean_busy_time(parts), (4 * 2 + 6 * 8) / 10.0 + 4.5);
  const std::vector<BusyPart> heavy = {{0, 10, 20}, {4, 1, 1}};
  EXPECT_DOUBLE_EQ(least_mean_busy_time(heavy), 20 * 5.0 + 10.5);
}

}  // namespace
}  // namespace wavewright
