#include "wavewright/rent/two_policies.h"

#include <gtest/gtest.h>

#include "tests/property.h"
#include "tests/rent/small_problems.h"

namespace wavewright {
namespace {

constexpr double close = 1e-9;

// Fig. 2: two jobs; 2 hours with 4 slots, 3 hours with 2. So w/S(4) = 2, w/S(2) = 3.
TEST(TwoPolicies, TheExampleOfFigureTwo) {
  const RentProblem problem = problem_of({6, 6}, {1, 2, 2.5, 3}, 1, 1);
  EXPECT_NEAR(dominance(problem).average_time(), 3, close);
  EXPECT_NEAR(shared(problem).average_time(), 3, close);
  EXPECT_NEAR(dominance(problem).machine_time, 16, close);
  EXPECT_NEAR(shared(problem).machine_time, 12, close);
  // Equal times, so the rent decides.
  EXPECT_NEAR(time_first(problem).machine_time, 12, close);
  EXPECT_NEAR(price_first(problem).machine_time, 12, close);
  EXPECT_NEAR(policy_shifting(problem).cost, 12 + 6, close);
}

// Equation (5) to (8) with a for S(1), where n divides M.
TEST(TwoPolicies, TheFormulasOfThePaper) {
  holds_always(
      [] {
        const RandomProblem random = random_problem(4, 12, true);
        const std::size_t n = random.works.size();
        const std::size_t all = random.speeds.size();
        RC_PRE(all % n == 0);
        const RentProblem problem = random.problem();
        double in_turn = 0;
        double work = 0;
        for (std::size_t i = 0; i < n; ++i) {
          in_turn += static_cast<double>(n - i) * random.works[i];
          work += random.works[i];
        }
        // S rises, so the most machines are the fastest, or as fast.
        const double together = random.speeds[all - 1];
        const double apart = random.speeds[all / n - 1];
        RC_ASSERT(std::abs(dominance(problem).total_time - in_turn / together) < 1e-6);
        RC_ASSERT(std::abs(shared(problem).total_time - work / apart) < 1e-6);
        const auto m = static_cast<double>(problem.speeds.fastest(Count(all)));
        const auto share = static_cast<double>(problem.speeds.fastest(Count(all / n)));
        RC_ASSERT(std::abs(dominance(problem).rent - random.rent * m * work / together) < 1e-6);
        RC_ASSERT(std::abs(shared(problem).rent - random.rent * share * work / apart) < 1e-6);
      },
      500);
}

// Five jobs on two machines: pairs, and the last alone on both.
TEST(TwoPolicies, MoreJobsThanMachinesShareInRounds) {
  const RentPlan plan = shared(problem_of({1, 2, 3, 4, 5}, {1, 1.5}, 1, 1));
  ASSERT_EQ(plan.groups.size(), 3U);
  EXPECT_EQ(plan.groups[2].machines, std::vector<Count>{2});
  EXPECT_NEAR(plan.jobs[2].start, 2, close);
  EXPECT_NEAR(plan.jobs[4].start, 6, close);
  EXPECT_NEAR(plan.makespan, 6 + 5 / 1.5, close);
}

// S = 1, 1.9, 2.5: a machine alone is the cheapest. S = 1, 2.4, 2.7: two are.
TEST(TwoPolicies, TheTextsPriceFirstTakesTheCheapestNumberOfMachines) {
  const RentPlan one = cheapest_first(problem_of({2, 2, 2, 2}, {1, 1.9, 2.5}, 1, 0));
  EXPECT_EQ(one.groups.size(), 2U);
  EXPECT_NEAR(one.rent, 8, close);
  const RentPlan two = cheapest_first(problem_of({2, 2}, {1, 2.4, 2.7}, 1, 0));
  EXPECT_EQ(two.groups.size(), 2U);
  EXPECT_NEAR(two.rent, 2 * 2 * 2 / 2.4, close);
}

TEST(TwoPolicies, EachRuleTakesWhatItPutsFirst) {
  holds_always(
      [] {
        const RentProblem problem = random_problem(6, 6).problem();
        const RentPlan one = dominance(problem);
        const RentPlan other = shared(problem);
        RC_ASSERT(time_first(problem).total_time == std::min(one.total_time, other.total_time));
        RC_ASSERT(price_first(problem).machine_time == std::min(one.machine_time, other.machine_time));
        RC_ASSERT(policy_shifting(problem).cost == std::min(one.cost, other.cost));
      },
      300);
}

}  // namespace
}  // namespace wavewright
