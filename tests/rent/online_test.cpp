#include "wavewright/rent/online.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/property.h"
#include "tests/rent/small_problems.h"
#include "wavewright/core/error.h"
#include "wavewright/rent/any_order.h"

namespace wavewright {
namespace {

constexpr double close = 1e-9;

struct Arriving {
  RandomProblem random;
  std::vector<double> arrivals;

  [[nodiscard]] RentProblem problem() const {
    RentProblem is = random.problem();  // as sorted; random.works are, too
    for (std::size_t i = 0; i < is.jobs.size(); ++i) is.jobs[i].arrival = arrivals[i];
    return is;
  }
};

Arriving arriving_problem(std::size_t most_jobs, std::size_t most_machines) {
  Arriving arriving{random_problem(most_jobs, most_machines), {}};
  for (std::size_t i = 0; i < arriving.random.works.size(); ++i)
    arriving.arrivals.push_back(*rc::gen::inRange(0, 20));
  return arriving;
}

// A job of 4 at 0 and one of 1 at 1, one machine. Online the short one waits: rent 5, delays 4 and 5 − 1 = 4.
// The clairvoyant waits until 1 and runs the short one first: delays 1 and 6. With a = 1, b = 1: 13 and 12.
TEST(RentOnline, WaitsForNothing) {
  RentProblem problem = problem_of({1, 4}, {1}, 1, 1);
  problem.jobs[0].arrival = 1;
  const OnlinePlan online = rent_online(problem, find_rent_policy("ascending"));
  EXPECT_NEAR(online.cost, 13, close);
  EXPECT_NEAR(online.average_delay, 4, close);
  const OnlinePlan best = clairvoyant_groups(problem);
  EXPECT_NEAR(best.cost, 12, close);
  EXPECT_EQ(best.plan.jobs[0].job, 0U);
  EXPECT_NEAR(best.plan.jobs[0].start, 1, close);
  EXPECT_NEAR(alone_bound(problem), 10, close);
}

// Jobs that arrive after all others have ended start at their arrival.
TEST(RentOnline, StartsWhenAJobArrives) {
  RentProblem problem = problem_of({1, 4}, {1}, 1, 1);
  problem.jobs[1].arrival = 9;
  const OnlinePlan online = rent_online(problem, find_rent_policy("any-order"));
  EXPECT_NEAR(online.plan.makespan, 13, close);
  EXPECT_NEAR(online.cost, 5 + 1 + 4, close);
}

TEST(RentOnline, WithoutArrivalsTheClairvoyantIsTheBestOfAnyOrder) {
  holds_always(
      [] {
        const RentProblem problem = random_problem(5, 4).problem();
        RC_ASSERT(std::abs(clairvoyant_groups(problem).cost - any_order(problem).cost) < 1e-6);
      },
      200);
}

TEST(RentOnline, NoPolicyBeatsTheClairvoyantNorTheBound) {
  holds_always(
      [] {
        const RentProblem problem = arriving_problem(5, 4).problem();
        const double best = clairvoyant_groups(problem).cost;
        RC_ASSERT(alone_bound(problem) <= best * (1 + close) + close);
        for (const char* name : {"shared", "dominance", "greedy-sizes", "ascending", "any-order"}) {
          const OnlinePlan online = rent_online(problem, find_rent_policy(name));
          RC_ASSERT(online.cost >= best * (1 - close) - close);
          // Each job once, none before its arrival, no two groups at once.
          std::set<std::size_t> jobs;
          double end = 0;
          std::size_t group = 0;
          double start = 0;
          for (const RentedJob& job : online.plan.jobs) {
            RC_ASSERT(jobs.insert(job.job).second);
            RC_ASSERT(job.start >= problem.jobs[job.job].arrival - close);
            if (job.group != group) {
              group = job.group;
              start = end;
            }
            RC_ASSERT(job.start >= start - close);
            end = std::max(end, job.finish);
          }
          RC_ASSERT(jobs.size() == problem.jobs.size());
        }
      },
      200);
}

// By another way: every assignment of jobs to numbered groups, every machine number, for two or three jobs.
TEST(RentOnline, TheClairvoyantIsTheBestOfAllSequencesOfGroups) {
  holds_always(
      [] {
        const Arriving arriving = arriving_problem(3, 3);
        const RentProblem problem = arriving.problem();
        const std::size_t n = problem.jobs.size();
        const Count all = problem.speeds.machines();
        double best = std::numeric_limits<double>::infinity();
        std::vector<std::size_t> code(2 * n,
                                      0);  // the group of each job, and the machines of each group less one
        const auto limit = [&](std::size_t i) { return i < n ? n : static_cast<std::size_t>(all); };
        for (bool more = true; more;) {
          double now = 0;
          double cost = 0;
          bool fits = true;
          for (std::size_t g = 0; g < n; ++g) {
            const auto m = static_cast<Count>(code[n + g] + 1);
            Count used = 0;
            double longest = 0;
            for (std::size_t j = 0; j < n; ++j) {
              if (code[j] != g) continue;
              used += m;
              now = std::max(now, problem.jobs[j].arrival);
              longest = std::max(longest, problem.jobs[j].work / problem.speeds.at(m));
            }
            fits = fits && used <= all;
            for (std::size_t j = 0; j < n; ++j) {
              if (code[j] != g) continue;
              const double length = problem.jobs[j].work / problem.speeds.at(m);
              cost += problem.prices.rent * length * static_cast<double>(m) +
                      problem.prices.delay * (now + length - problem.jobs[j].arrival);
            }
            now += longest;
          }
          if (fits) best = std::min(best, cost);
          std::size_t i = 0;
          while (i < code.size() && code[i] + 1 == limit(i)) code[i++] = 0;
          more = i < code.size();
          if (more) ++code[i];
        }
        RC_ASSERT(std::abs(clairvoyant_groups(problem).cost - best) < 1e-6);
      },
      200);
}

TEST(RentOnline, RefusesManyJobs) {
  EXPECT_THROW((void)clairvoyant_groups(problem_of(std::vector<double>(9, 1), {1}, 1, 1)), UsageError);
}

TEST(RentPolicies, EachKeepsItsPromise) {
  holds_always(
      [] {
        const RentProblem problem = random_problem(6, 5).problem();
        const auto cost = [&](const char* name) { return find_rent_policy(name).plan(problem).cost; };
        for (const RentPolicy& policy : rent_policies()) {
          RC_ASSERT(cost("unequal") <= policy.plan(problem).cost * (1 + close) + close);
        }
        RC_ASSERT(cost("any-order") <= cost("ascending") + close);
        RC_ASSERT(cost("ascending") <= cost("all-sizes") + close);
        RC_ASSERT(cost("ascending") <= cost("cheapest-first") + close);
        RC_ASSERT(cost("all-sizes") <= cost("greedy-sizes") + close);
        RC_ASSERT(cost("greedy-sizes") <= cost("one-size") + close);
        RC_ASSERT(cost("one-size") <= cost("policy-shifting") + close);
      },
      500);
  EXPECT_THROW((void)find_rent_policy("greedy"), UsageError);
}

}  // namespace
}  // namespace wavewright
