#include "wavewright/rent/any_order.h"

#include <gtest/gtest.h>

#include <optional>

#include "tests/property.h"
#include "tests/rent/small_problems.h"
#include "wavewright/rent/group_sizes.h"
#include "wavewright/rent/improve_groups.h"
#include "wavewright/rent/unequal_machines.h"

namespace wavewright {
namespace {

constexpr double close = 1e-9;

bool equal(double a, double b) {
  return std::abs(a - b) <= close * (1 + std::abs(a) + std::abs(b));
}

// (9, 9) on a machine each end at 9 and pay 18. The 8 then has both, ends at 9 + 8/1.05 and pays 16/1.05. In
// all 18 + 16/1.05 + 5 · (27 + 8/1.05) = 206⅓.
TEST(AnyOrder, AscendingOrderIsNotTheBest) {
  const RentProblem problem = problem_of({8, 9, 9}, {1, 1.05}, 1, 5);
  EXPECT_NEAR(all_sizes(problem).cost, 207, close);
  const RentPlan best = any_order(problem, GroupMachines::forced);
  EXPECT_NEAR(best.cost, 206 + 1.0 / 3, close);
  ASSERT_EQ(best.groups.size(), 2U);
  EXPECT_EQ(best.groups[0].jobs, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(best.groups[1].jobs, (std::vector<std::size_t>{0}));
}

struct Example {
  std::vector<double> works;
  double two = 0;    // S(2)
  double delay = 0;  // b

  friend bool operator==(const Example&, const Example&) = default;
};

bool ascending_loses(const Example& example) {
  const RentProblem problem = problem_of(example.works, {1, example.two}, 1, example.delay);
  return any_order(problem).cost < all_sizes(problem, GroupMachines::free).cost - 1e-6;
}

std::optional<Example> with_works(const std::vector<double>& works) {
  for (int two = 11; two <= 20; ++two) {
    for (int delay = 1; delay <= 9; ++delay) {
      const Example example{works, two / 10.0, double(delay)};
      if (ascending_loses(example)) return example;
    }
  }
  return std::nullopt;
}

// `jobs` whole numbers, ascending from `least`, with this sum, each set once.
std::optional<Example> with_sum(int jobs, int sum, int least, std::vector<double>& works) {
  std::optional<Example> found;
  if (jobs == 1) {
    works.push_back(sum);
    found = with_works(works);
    works.pop_back();
    return found;
  }
  for (int work = least; work * jobs <= sum && !found; ++work) {
    works.push_back(work);
    found = with_sum(jobs - 1, sum - work, work, works);
    works.pop_back();
  }
  return found;
}

// The first by the sum of whole works, then by S(2) in tenths, then by b from 1 to 9, on two machines with a
// = 1.
std::optional<Example> smallest(int jobs, int most_sum) {
  std::vector<double> works;
  std::optional<Example> found;
  for (int sum = jobs; sum <= most_sum && !found; ++sum) found = with_sum(jobs, sum, 1, works);
  return found;
}

// With free machines the example above has no gap: one machine each, in any order, costs 26 + 5 · 35.
TEST(AnyOrder, AscendingIsNotTheBestWithFreeMachinesEither) {
  const RentProblem forced_only = problem_of({8, 9, 9}, {1, 1.05}, 1, 5);
  EXPECT_NEAR(all_sizes(forced_only, GroupMachines::free).cost, 201, close);
  EXPECT_NEAR(any_order(forced_only).cost, 201, close);
  EXPECT_EQ(smallest(3, 12), std::nullopt);
  EXPECT_EQ(smallest(4, 16), (Example{{2, 3, 3, 8}, 1.3, 8}));
}

// The jobs 2, 3, 3, 8 of that search: (2) on two machines, then (3, 3), then (8) on two; better (3, 3) first.
// In fractions: 2494/13 and 2486/13.
TEST(AnyOrder, TheSearchMovesGroups) {
  const RentProblem problem = problem_of({2, 3, 3, 8}, {1, 1.3}, 1, 8);
  const RentPlan ascending = all_sizes(problem, GroupMachines::free);
  EXPECT_NEAR(ascending.cost, 2494.0 / 13, close);
  EXPECT_NEAR(improve_groups(problem, ascending).cost, 2486.0 / 13, close);
}

TEST(AnyOrder, IsTheBestOfAllOrdersAndCuts) {
  holds_always(
      [] {
        const RandomProblem random = random_problem(5, 4);
        for (const bool free : {false, true}) {
          const double best = cheapest_groups(random, free);
          const GroupMachines machines = free ? GroupMachines::free : GroupMachines::forced;
          RC_ASSERT(equal(any_order(random.problem(), machines).cost, best));
        }
      },
      300);
}

TEST(AnyOrder, SmithsRuleIsTheBestOrderOfGivenGroups) {
  holds_always(
      [] {
        const RandomProblem random = random_problem(6, 4);
        const RentProblem problem = random.problem();
        std::vector<RentGroup> groups = all_sizes(problem, GroupMachines::free).groups;
        const double best = smith_order(problem, groups).cost;
        std::ranges::sort(groups, {}, &RentGroup::jobs);
        do {
          RC_ASSERT(price_groups(problem, groups).cost >= best - close * (1 + best));
        } while (std::ranges::next_permutation(groups, {}, &RentGroup::jobs).found);
      },
      300);
}

// The search for many jobs, on few, where the optimum is known.
TEST(AnyOrder, TheSearchLiesBetweenAscendingAndOptimum) {
  int found = 0;
  int cases = 0;
  holds_always(
      [&] {
        const RandomProblem random = random_problem(6, 5);
        const RentProblem problem = random.problem();
        const RentPlan ascending = all_sizes(problem, GroupMachines::free);
        const double searched = improve_groups(problem, ascending).cost;
        const double best = any_order(problem).cost;
        RC_ASSERT(searched <= ascending.cost);
        RC_ASSERT(searched >= best - close * (1 + best));
        ++cases;
        if (equal(searched, best)) ++found;
      },
      300);
  EXPECT_GE(found * 10, cases * 9);
}

TEST(UnequalMachines, ExactIsTheBestOfAllNumbers) {
  holds_always(
      [] {
        const RandomProblem random = random_problem(3, 5);
        const RentProblem problem = random.problem();
        const std::size_t g = problem.jobs.size();
        const Count all = problem.speeds.machines();
        RC_PRE(static_cast<Count>(g) <= all);
        const auto later = *rc::gen::inRange<std::size_t>(0, 4);
        std::vector<std::size_t> jobs(g);
        std::iota(jobs.begin(), jobs.end(), std::size_t{0});
        // The jobs that wait start where the group ends, and cost b times that.
        const auto cost = [&](const std::vector<Count>& machines) {
          const RentPlan plan = price_groups(problem, {{jobs, machines}});
          return plan.cost + random.delay * static_cast<double>(later) * plan.makespan;
        };
        double best = std::numeric_limits<double>::infinity();
        std::vector<Count> machines(g, 1);
        for (bool more = true; more;) {
          if (std::accumulate(machines.begin(), machines.end(), Count{0}) <= all)
            best = std::min(best, cost(machines));
          std::size_t i = 0;
          while (i < g && machines[i] == all) machines[i++] = 1;
          more = i < g;
          if (more) ++machines[i];
        }
        RC_ASSERT(equal(cost(unequal_machines_exact(problem, jobs, later)), best));
        const std::vector<Count> equal_ones(g, all / static_cast<Count>(g));
        const double descent = cost(unequal_machines_descent(problem, jobs, later, equal_ones));
        RC_ASSERT(descent <= cost(equal_ones) * (1 + close));
        RC_ASSERT(descent >= best * (1 - close));
      },
      500);
}

// Three machines, without rent. One each: 4 + 5. In turn on three: 2 · 4/1.3 + 5/1.3 = 10. One and two: 4 +
// 5/1.2.
TEST(UnequalMachines, PayWhereEqualOnesDoNot) {
  const RentProblem odd = problem_of({4, 5}, {1, 1.2, 1.3}, 0, 1);
  EXPECT_NEAR(any_order(odd).cost, 9, close);
  EXPECT_NEAR(unequal_machines(odd).cost, 4 + 5 / 1.2, close);
  EXPECT_EQ(unequal_machines_descent(odd, {0, 1}, 0, {1, 1}), (std::vector<Count>{1, 2}));
  EXPECT_EQ(unequal_machines_descent(odd, {0, 1}, 0, {2, 1}), (std::vector<Count>{1, 2}));
}

TEST(UnequalMachines, AreBetweenTheEqualOnesAndAnySchedule) {
  holds_always(
      [] {
        const RandomProblem random = random_problem(4, 4);
        const RentProblem problem = random.problem();
        const double unequal = unequal_machines(problem).cost;
        RC_ASSERT(unequal <= any_order(problem).cost);
        RC_ASSERT(unequal >= cheapest_non_preemptive(random) * (1 - close));
      },
      200);
}

}  // namespace
}  // namespace wavewright
