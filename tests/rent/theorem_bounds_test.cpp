#include "wavewright/rent/theorem_bounds.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <ostream>

#include "tests/property.h"
#include "tests/rent/small_problems.h"
#include "wavewright/rent/group_sizes.h"
#include "wavewright/rent/two_policies.h"

namespace wavewright {
namespace {

constexpr double room = 1 + 1e-9;

// Strictly rising speeds, so that the most machines are the fastest, as the theorems have it; n ≤ M.
RandomProblem rising_problem(std::size_t most_jobs, std::size_t most_machines) {
  RandomProblem random = random_problem(most_jobs, most_machines, true);
  for (std::size_t m = 1; m < random.speeds.size(); ++m) {
    random.speeds[m] = std::max(random.speeds[m], random.speeds[m - 1] + 0.01);
  }
  RC_PRE(random.works.size() <= random.speeds.size());
  return random;
}

double time_ratio(const RentProblem& problem) {
  return ratio_of(dominance(problem).total_time, shared(problem).total_time);
}

double cost_ratio(const RentProblem& problem) {
  return ratio_of(dominance(problem).cost, shared(problem).cost);
}

double one_size_ratio(const RandomProblem& random) {
  return single_size(random.problem()).cost / cheapest_non_preemptive(random);
}

TEST(TheoremBounds, MendedTheoremOneHolds) {
  holds_always(
      [] {
        const RandomProblem random = rising_problem(8, 16);
        const RentProblem problem = random.problem();
        RC_ASSERT(time_ratio(problem) <= mended_time_bound(problem.speeds, random.works.size()) * room);
      },
      50'000);
}

TEST(TheoremBounds, MendedTheoremTwoHolds) {
  holds_always(
      [] {
        const RandomProblem random = rising_problem(8, 16);
        RC_PRE(random.rent + random.delay > 0);
        const RentProblem problem = random.problem();
        RC_ASSERT(cost_ratio(problem) <= mended_cost_bound(problem.speeds, random.works.size()) * room);
      },
      50'000);
}

TEST(TheoremBounds, MendedTheoremThreeHoldsAgainstAnySchedule) {
  holds_always(
      [] {
        const RandomProblem random = rising_problem(3, 4);
        RC_PRE(random.rent + random.delay > 0);
        RC_ASSERT(one_size_ratio(random) <= mended_one_size_bound(random.problem().speeds) * room);
      },
      3'000);
}

// Both sides of the bound of theorem 1 are reached: the mended bound is no larger than it must be.
TEST(TheoremBounds, MendedTheoremOneIsTight) {
  const RentProblem equal = problem_of({1, 1}, {1, 1}, 1, 1);  // (n + 1)/2 · 1
  EXPECT_NEAR(time_ratio(equal), mended_time_bound(equal.speeds, 2), 1e-9);
  const RentProblem apart = problem_of({1e-9, 1}, {1, 2}, 1, 1);  // d/s = 2
  EXPECT_NEAR(time_ratio(apart), mended_time_bound(apart.speeds, 2), 1e-6);
}

TEST(TheoremBounds, TheExampleOfTheErrata) {
  const RentProblem problem = problem_of({0.01, 1}, {1, 2}, 1, 1);
  EXPECT_NEAR(time_ratio(problem), 0.505 / 0.255, 1e-9);
  EXPECT_NEAR(printed_time_bound(problem.speeds, 2), 4.0 / 3, 1e-9);
}

// By hand: S = 1, 3, 4; M = 3, n = 2, a = 2, b = 5. d = 4, s = S(1) = 1.
TEST(TheoremBounds, TheFormulas) {
  const RentProblem problem = problem_of({1, 1}, {1, 3, 4}, 2, 5);
  EXPECT_NEAR(printed_time_bound(problem.speeds, 2), 4.0 / 3, 1e-9);
  EXPECT_NEAR(mended_time_bound(problem.speeds, 2), 4, 1e-9);
  EXPECT_NEAR(printed_cost_bound(problem.speeds, 2, problem.prices), 2 * 4.0 / 3 + 5.0 / 4, 1e-9);
  EXPECT_NEAR(mended_cost_bound(problem.speeds, 2), 4, 1e-9);  // P = 3/4
  EXPECT_NEAR(printed_one_size_bound(problem.speeds, problem.prices), 7, 1e-9);
  EXPECT_NEAR(mended_one_size_bound(problem.speeds), 3 * 1.5 / 4, 1e-9);
}

// --- The printed theorems, with their smallest counterexamples. ---

struct Counterexample {
  std::vector<double> works, speeds;
  double rent = 0, delay = 0;

  friend bool operator==(const Counterexample&, const Counterexample&) = default;
  friend void PrintTo(const Counterexample& is, std::ostream* out) {
    *out << "works " << testing::PrintToString(is.works) << ", S " << testing::PrintToString(is.speeds)
         << ", a " << is.rent << ", b " << is.delay;
  }
};

// The first that violates: one or two whole works up to 4, by their number and sum; two machines with S(1) =
// 1, S(2) from 2 down by halves to 1, the linear one first; then a and b from {1, 0, 1/1000}.
std::optional<Counterexample> smallest(const std::function<bool(const RandomProblem&)>& violates) {
  std::vector<std::vector<double>> works = {{1}, {2}, {3}, {4}};
  for (int sum = 2; sum <= 8; ++sum) {
    for (int small = 1; small * 2 <= sum; ++small) works.push_back({double(small), double(sum - small)});
  }
  for (const std::vector<double>& each : works) {
    for (const double two : {2.0, 1.5, 1.0}) {
      for (const auto& [rent, delay] : {std::pair{1.0, 1.0}, {1.0, 0.0}, {0.0, 1.0}, {0.001, 0.001}}) {
        if (violates({each, {1, two}, rent, delay})) return Counterexample{each, {1, two}, rent, delay};
      }
    }
  }
  return std::nullopt;
}

// Two equal jobs and a second machine that does not help: in turn 1 + 2, side by side 1 + 1. 3/2 > 4/3.
// With one that does, works of 1 and 2, linear: in turn 1/2 + 3/2, side by side 1 + 2. 3/2 > 4/3.
TEST(TheoremBounds, PrintedTheoremOneFails) {
  const auto violates = [](const RandomProblem& random) {
    const RentProblem problem = random.problem();
    return time_ratio(problem) > printed_time_bound(problem.speeds, random.works.size()) * room;
  };
  EXPECT_EQ(smallest(violates), (Counterexample{{1, 1}, {1, 1}, 1, 1}));
  EXPECT_EQ(smallest([&](const RandomProblem& random) { return random.speeds[1] > 1 && violates(random); }),
            (Counterexample{{1, 2}, {1, 2}, 1, 1}));
  EXPECT_NEAR(time_ratio(problem_of({1, 2}, {1, 2}, 1, 1)), 1.5, 1e-9);
}

// One job has one plan: its ratio is 1, and the bound (a + b) is 1/500.
TEST(TheoremBounds, PrintedTheoremTwoFailsForSmallPrices) {
  const auto found = smallest([](const RandomProblem& random) {
    const RentProblem problem = random.problem();
    return cost_ratio(problem) >
           printed_cost_bound(problem.speeds, random.works.size(), problem.prices) * room;
  });
  EXPECT_EQ(found, (Counterexample{{1}, {1, 2}, 0.001, 0.001}));
}

TEST(TheoremBounds, PrintedTheoremThreeFailsForSmallPrices) {
  const auto violates = [](const RandomProblem& random) {
    return one_size_ratio(random) >
           printed_one_size_bound(random.problem().speeds, random.problem().prices) * room;
  };
  EXPECT_EQ(smallest(violates), (Counterexample{{1}, {1, 2}, 0.001, 0.001}));
  // Nor for a + b = 1: one job, S = 1 and 1.5, is cheapest on one machine, where one size must rent two.
  EXPECT_EQ(smallest([&](const RandomProblem& random) {
              return random.rent + random.delay >= 1 && violates(random);
            }),
            (Counterexample{{1}, {1, 1.5}, 1, 0}));
}

// And for a + b = 1, where the printed 2 is at least what its first theorem says of the time.
TEST(TheoremBounds, PrintedTheoremTwoFailsForPricesThatAddUpToOne) {
  const auto found = smallest([](const RandomProblem& random) {
    if (random.rent + random.delay != 1) return false;
    const RentProblem problem = random.problem();
    return cost_ratio(problem) >
           printed_cost_bound(problem.speeds, random.works.size(), problem.prices) * room;
  });
  EXPECT_EQ(found, (Counterexample{{1, 1}, {1, 2}, 0, 1}));
}

}  // namespace
}  // namespace wavewright
