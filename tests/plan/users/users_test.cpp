// Several users: by hand, and beside every pair of orders.
#include "wavewright/plan/users/users.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "tests/property.h"
#include "tests/sim/worlds.h"
#include "wavewright/core/error.h"
#include "wavewright/plan/evaluate.h"
#include "wavewright/plan/methods/late_acceptance.h"

namespace wavewright {
namespace {

Job job_of(const std::string& id, const std::string& user, int map, int reduce) {
  Job job;
  job.id = id;
  job.user = user;
  job.maps = {ms(map)};
  job.reduces = {ms(reduce)};
  return job;
}

// On one slot of each kind: ann first ends at 15, ben at 35; ben first at 25, ann at 35. Alone 15 and 25.
const Workload two_users{{job_of("a", "ann", 10, 5), job_of("b", "ben", 20, 5)}};

UserAnswer answer_of(Objective objective, const UserSettings& settings) {
  PlanningProblem problem{shared(two_users), {{1, 1}}, objective};
  problem.evaluations = 50;
  return make_user_plan(problem, settings, {}, Stop());
}

TEST(Users, FairChoosesAmongPlansThatAreAlikeForAll) {
  UserSettings settings;
  settings.fair = 0.4;
  const UserAnswer answer = answer_of(Objective::makespan, settings);
  EXPECT_FALSE(answer.violated);
  EXPECT_EQ(answer.plan.order, (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(answer.users.size(), 2U);
  EXPECT_EQ(answer.users[0].user, "ann");
  EXPECT_EQ(answer.users[0].alone, ms(15));
  EXPECT_DOUBLE_EQ(answer.users[0].slowdown(), 1);
  EXPECT_EQ(answer.users[1].shared, ms(35));
  EXPECT_DOUBLE_EQ(answer.users[1].slowdown(), 1.4);
}

TEST(Users, SaysWhoWaitsTooLongAndWhyNoPlanIsFair) {
  UserSettings settings;
  settings.fair = 0.39;
  const UserAnswer answer = answer_of(Objective::makespan, settings);
  ASSERT_TRUE(answer.violated);
  EXPECT_EQ(answer.users[*answer.violated].user, "ben");
  EXPECT_EQ(answer.impossible, "the jobs of 'ann', 'ben' together take 35ms at least, 34ms would be fair");
}

TEST(Users, WeightsCount) {
  UserSettings settings;
  settings.weights["ben"] = 10;
  const UserAnswer answer = answer_of(Objective::total_completion, settings);
  EXPECT_EQ(answer.plan.order, (std::vector<std::string>{"b", "a"}));
  EXPECT_DOUBLE_EQ(answer.weighted_ms, 10 * 25 + 35);
  EXPECT_DOUBLE_EQ(answer.weighted_bound_ms, answer.weighted_ms);
  EXPECT_TRUE(answer.weighted_is_optimal());
  EXPECT_EQ(answer_of(Objective::total_completion, {}).plan.order, (std::vector<std::string>{"a", "b"}));
}

// ben's job counts most and comes a little later than ann's long ones. With two orders these take all slots.
TEST(Users, KeepsASlotFreeForAJobThatCountsMore) {
  Workload batch{{job_of("a", "ann", 100, 5), job_of("b", "ann", 100, 5), job_of("c", "ben", 10, 5)}};
  batch.jobs[2].submit = at_ms(1);
  PlanningProblem problem{shared(batch), {{2, 2}}, Objective::total_completion};
  problem.evaluations = 2'000;
  UserSettings settings;
  settings.weights["ben"] = 10;
  const UserAnswer answer = make_user_plan(problem, settings, {}, Stop());
  EXPECT_DOUBLE_EQ(answer.weighted_ms, 105 + 205 + 10 * 15);
  EXPECT_LE(answer.plan.evaluated, 2'000);
  EXPECT_DOUBLE_EQ(weighted_completion(answer.plan, problem, settings), answer.weighted_ms);
  // Better still: ann's second job after ben's, on the slot that waited for it. No plan says so.
  EXPECT_DOUBLE_EQ(answer.weighted_bound_ms, 105 + 116 + 10 * 15);
  EXPECT_FALSE(answer.weighted_is_optimal());
}

TEST(Users, RefusesWeightsOfNobodyAndForTheMakespan) {
  UserSettings settings;
  settings.weights["bem"] = 2;
  EXPECT_THROW((void)answer_of(Objective::total_completion, settings), UsageError);
  settings.weights = {{"ben", 2}};
  EXPECT_THROW((void)answer_of(Objective::makespan, settings), UsageError);
}

void for_every_pair(std::size_t jobs, const std::function<void(const TwoOrders&)>& seen) {
  TwoOrders orders;
  orders.maps.resize(jobs);
  std::iota(orders.maps.begin(), orders.maps.end(), 0U);
  orders.reduces = orders.maps;
  do {
    do seen(orders);
    while (std::next_permutation(orders.reduces.begin(), orders.reduces.end()));
  } while (std::next_permutation(orders.maps.begin(), orders.maps.end()));
}

bool is_fair(const std::vector<UserTime>& users, double fair) {
  return std::all_of(users.begin(), users.end(), [&](const UserTime& user) {
    return static_cast<double>(to_ms(user.shared)) <=
           (1 + fair) * static_cast<double>(to_ms(user.alone)) + 1e-6;
  });
}

TEST(Users, WhatIsSaidHolds) {
  int fair_plans = 0, impossible = 0;
  holds_always(
      [&] {
        Workload batch = worlds::some_workload({false, true});
        if (batch.jobs.size() > 4) batch.jobs.resize(4);
        for (Job& job : batch.jobs) job.user = *rc::gen::element("", "ann", "ben");
        if (*rc::gen::arbitrary<bool>()) worlds::depend(batch);
        PlanningProblem problem{shared(batch),
                                {{*rc::gen::inRange(1, 4), *rc::gen::inRange(1, 4)}},
                                *rc::gen::element(Objective::makespan, Objective::total_completion)};
        problem.evaluations = 400;
        UserSettings settings;
        settings.fair = *rc::gen::element(0.0, 0.1, 0.5, 1.0);
        if (problem.objective == Objective::total_completion && !batch.jobs.empty() &&
            *rc::gen::arbitrary<bool>())
          settings.weights[batch.jobs[0].user] = *rc::gen::inRange(1, 9);
        const UserAnswer answer = make_user_plan(problem, settings, {}, Stop());
        RC_ASSERT(answer.violated.has_value() == !is_fair(answer.users, *settings.fair));
        RC_ASSERT(answer.impossible.empty() || answer.violated);
        const auto alone = times_alone(problem, Stop());
        const std::string why = fair_is_impossible(problem, *settings.fair, alone);
        bool some_fair = false;
        double least = std::numeric_limits<double>::max();
        for_every_pair(batch.jobs.size(), [&](const TwoOrders& orders) {
          const Plan plan = plan_of_orders(problem, "test", orders);
          const double weighted = weighted_completion(plan, problem, settings);
          least = std::min(least, weighted);
          some_fair = some_fair || is_fair(times_by_user(plan, problem, settings, alone), *settings.fair);
        });
        RC_ASSERT(why.empty() || !some_fair);
        if (!settings.weights.empty()) RC_ASSERT(answer.weighted_bound_ms <= least);
        RC_ASSERT(answer.weighted_ms >= answer.weighted_bound_ms);
        fair_plans += some_fair ? 1 : 0;
        impossible += why.empty() ? 0 : 1;
      },
      150, 16);
  EXPECT_GT(fair_plans, 0);
  EXPECT_GE(impossible, fewer(1, 0));
}

TEST(Users, AloneTheJobsThatTheirsWaitForRunToo) {
  Workload batch{{job_of("a", "ann", 100, 10), job_of("b", "ben", 5, 3), job_of("c", "ben", 7, 2)}};
  batch.jobs[1].after = {"a"};
  batch.jobs[2].after = {"b"};
  const auto alone = times_alone({shared(batch), {{1, 1}}}, Stop());
  EXPECT_EQ(alone.at("ann"), ms(110));
  EXPECT_EQ(alone.at("ben"), ms(110 + 5 + 3 + 7 + 2));
  const auto sums = times_alone({shared(batch), {{1, 1}}, Objective::total_completion}, Stop());
  EXPECT_EQ(sums.at("ann"), ms(110));
  EXPECT_EQ(sums.at("ben"), ms(118 + 127));
}

// Four jobs a user: the search uses the constraint, or a fair plan is not found where there is one.
TEST(Users, TheSearchFindsAFairPlan) {
  Workload batch;
  for (int i = 0; i < 4; ++i) {
    batch.jobs.push_back(job_of(fmt::format("long{}", i), "ann", 100, 10));
    batch.jobs.push_back(job_of(fmt::format("short{}", i), "ben", 5, 3));
  }
  PlanningProblem problem{shared(batch), {{1, 1}}};
  problem.evaluations = 2'000;
  UserSettings settings;
  settings.fair = 0.1;
  const UserAnswer answer = make_user_plan(problem, settings, {plan_by("johnson", problem, Stop())}, Stop());
  EXPECT_FALSE(answer.violated);
  EXPECT_EQ(answer.users[1].shared, ms(23)) << "ben's jobs before ann's";
}

}  // namespace
}  // namespace wavewright
