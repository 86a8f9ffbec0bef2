#include "wavewright/rent/group_sizes.h"

#include <gtest/gtest.h>

#include <chrono>

#include "tests/property.h"
#include "tests/rent/small_problems.h"
#include "wavewright/rent/two_policies.h"

namespace wavewright {
namespace {

constexpr double close = 1e-9;

bool equal(double a, double b) {
  return std::abs(a - b) <= close * (1 + std::abs(a) + std::abs(b));
}

// Jobs of 1, 1 and 4 on three machines with S = 1, 2, 3: each group size, by hand, with a = 1 and b = 1.
//   one a group: 1/3, 2/3, 2 and rent 6                       → 9
//   two a group, the last with ⌊3/1⌋ machines: 1, 1, 1 + 4/3  → 6 + 4⅓ = 10⅓
//   all three on one machine each: 1, 1, 4                    → 12
TEST(GroupSizes, TheLastGroupHasItsOwnMachines) {
  const RentProblem problem = problem_of({1, 1, 4}, {1, 2, 3}, 1, 1);
  EXPECT_NEAR(groups_of_size(problem, 1).cost, 9, close);
  const RentPlan two = groups_of_size(problem, 2);
  EXPECT_NEAR(two.cost, 10 + 1.0 / 3, close);
  ASSERT_EQ(two.groups.size(), 2U);
  EXPECT_EQ(two.groups[0].machines, (std::vector<Count>{1, 1}));
  EXPECT_EQ(two.groups[1].machines, (std::vector<Count>{3}));
  EXPECT_NEAR(groups_of_size(problem, 3).cost, 12, close);
  EXPECT_EQ(single_size(problem).groups.size(), 3U);
}

// α = 0.6 has S = 1, 1.2, 1.08: two machines are the fastest, and more are never taken.
TEST(GroupSizes, TakesNoMoreMachinesThanMakeAJobFaster) {
  const RentProblem problem = problem_of({1}, {1, 1.2, 1.08}, 0, 1);
  EXPECT_EQ(single_size(problem).jobs[0].machines, 2);
}

// With few jobs the forced ⌊M/g⌋ machines are a waste: one job, S = 1 and 1.1, a = 1, b = 1.
//   two machines: (2 + 1) / 1.1 = 2.73; one machine: (1 + 1) / 1 = 2.
TEST(GroupSizes, FreeMachinesMendTheLossWithFewJobs) {
  const RentProblem problem = problem_of({1}, {1, 1.1}, 1, 1);
  EXPECT_NEAR(all_sizes(problem).cost, 3 / 1.1, close);
  EXPECT_NEAR(cheapest_first(problem).cost, 2, close);
  EXPECT_NEAR(all_sizes(problem, GroupMachines::free).cost, 2, close);
}

TEST(GroupSizes, AllSizesAreTheBestOfEveryCut) {
  holds_always(
      [] {
        const RandomProblem random = random_problem(6, 5);
        const RentProblem problem = random.problem();
        for (const bool free : {false, true}) {
          const GroupMachines machines = free ? GroupMachines::free : GroupMachines::forced;
          const double best = cheapest_cut(random, random.works, 0, 0, free);
          RC_ASSERT(equal(all_sizes(problem, machines).cost, best));
          RC_ASSERT(single_size(problem, machines).cost >= best - close);
          RC_ASSERT(greedy_sizes(problem, machines).cost >= best - close);
        }
      },
      1000);
}

TEST(GroupSizes, OneSizeIsTheBestOfItsSizes) {
  holds_always(
      [] {
        const RentProblem problem = random_problem(7, 6).problem();
        double best = groups_of_size(problem, 1).cost;
        for (std::size_t size = 2;
             size <= std::min(problem.jobs.size(), std::size_t(problem.speeds.machines())); ++size) {
          best = std::min(best, groups_of_size(problem, size).cost);
        }
        RC_ASSERT(equal(single_size(problem).cost, best));
      },
      300);
}

// Alg. 6 as printed, group by group, with the plan priced as a whole each time.
TEST(GroupSizes, GreedySizesPriceTheWholePlan) {
  holds_always(
      [] {
        const RentProblem problem = random_problem(6, 5).problem();
        const std::size_t jobs = problem.jobs.size();
        const auto most = static_cast<std::size_t>(problem.speeds.machines());
        const auto add = [&](std::vector<RentGroup>& groups, std::size_t first, std::size_t size) {
          const std::size_t g = std::min(size, jobs - first);
          groups.push_back(
              equal_group(first, g, problem.speeds.fastest(problem.speeds.machines() / Count(g))));
          return first + g;
        };
        std::vector<RentGroup> chosen;
        for (std::size_t first = 0; first < jobs;) {
          std::size_t best = 0;
          double least = 0;
          for (std::size_t size = 1; size <= most; ++size) {
            std::vector<RentGroup> groups = chosen;
            for (std::size_t next = first; next < jobs;) next = add(groups, next, size);
            const double cost = price_groups(problem, groups).cost;
            if (best == 0 || cost < least - close) {
              best = size;
              least = cost;
            }
          }
          first = add(chosen, first, best);
        }
        RC_ASSERT(equal(greedy_sizes(problem).cost, price_groups(problem, chosen).cost));
      },
      300);
}

TEST(GroupSizes, AThousandJobsOnAThousandMachinesTakeLessThanASecond) {
  std::vector<RentJob> jobs;
  for (int i = 0; i < 1000; ++i) jobs.push_back({"J", 1.0 + i % 97, 0});
  const RentProblem problem = rent_problem(jobs, {1, 0.5, 0}, Speeds(alpha_curve(0.999), 1000));
  const auto begin = std::clock();
  const RentPlan plan = all_sizes(problem, GroupMachines::free);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  EXPECT_LE(plan.cost, greedy_sizes(problem, GroupMachines::free).cost * (1 + close));
  EXPECT_LT(seconds, 1.0 * (sized(100) == 100 ? 1 : 20));
  RecordProperty("seconds", std::to_string(seconds));
}

}  // namespace
}  // namespace wavewright
