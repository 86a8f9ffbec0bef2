// The frontier of makespan, energy and cost: none of its plans is beaten, each can be executed, the plan is
// one.
#include "wavewright/energy/plan/energy_frontier.h"

#include <algorithm>
#include <array>
#include <set>

#include <gmock/gmock.h>

#include "tests/energy/all_policies.h"
#include "tests/property.h"
#include "tests/sim/cluster_worlds.h"
#include "tests/sim/small_jobs.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/energy/plan/energy_plan_policy.h"
#include "wavewright/energy/plan/plan_energy.h"
#include "wavewright/energy/policies.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

EnergyValue value_of(int tardiness, int makespan, int energy, int micro_usd) {
  EnergyValue value;
  value.tardiness = ms(tardiness);
  value.makespan = ms(makespan);
  value.energy.work = energy;
  value.cost_usd = to_usd({micro_usd});
  return value;
}

std::array<std::int64_t, 3> figures_of(const EnergyValue& value) {
  return {to_ms(value.makespan), value.energy.total(), from_usd(value.cost_usd).micro_usd};
}

// b is nowhere better, and somewhere worse.
bool beats(const EnergyValue& a, const EnergyValue& b) {
  const auto one = figures_of(a), other = figures_of(b);
  bool nowhere_worse = true;
  for (std::size_t i = 0; i < one.size(); ++i) nowhere_worse = nowhere_worse && one[i] <= other[i];
  return nowhere_worse && one != other;
}

TEST(EnergyFrontier, KeepsWhatNoneBeatsAtEachTardiness) {
  int long_ones = 0;
  holds_always([&] {
    std::vector<EnergyValue> all;
    EnergyFrontier frontier;
    for (int i = *rc::gen::inRange(1, 30); i > 0; --i) {
      all.push_back(value_of(*rc::gen::inRange(0, 3), *rc::gen::inRange(1, 6), *rc::gen::inRange(1, 6),
                             *rc::gen::inRange(1, 4)));
      frontier.add(all.back(), "m", nullptr);
    }
    for (int tardiness = 0; tardiness < 3; ++tardiness) {
      std::set<std::array<std::int64_t, 3>> expected;
      for (const EnergyValue& one : all) {
        const bool beaten = std::any_of(all.begin(), all.end(), [&](const EnergyValue& other) {
          return other.tardiness <= ms(tardiness) && beats(other, one);
        });
        if (one.tardiness <= ms(tardiness) && !beaten) expected.insert(figures_of(one));
      }
      const auto points = frontier.at_most(ms(tardiness));
      std::set<std::array<std::int64_t, 3>> found;
      for (const EnergyFrontier::Point* const point : points) found.insert(figures_of(point->value));
      RC_ASSERT(found == expected);
      RC_ASSERT(found.size() == points.size());
      RC_ASSERT(std::is_sorted(points.begin(), points.end(), [](const auto* a, const auto* b) {
        return a->value.makespan < b->value.makespan;
      }));
      long_ones += found.size() > 3 ? 1 : 0;
    }
  });
  EXPECT_GT(long_ones, 0);
}

TEST(EnergyGoal, PutsTheBudgetFirstThenTardinessThenTheAims) {
  const EnergyGoal budget{.most_cost = Money{10}, .aimed_makespan = {}, .aimed_cost = {}};
  EXPECT_TRUE(budget.better(value_of(5, 1, 9, 10), value_of(0, 1, 1, 11)));
  EXPECT_TRUE(budget.better(value_of(0, 1, 9, 10), value_of(5, 1, 1, 2)));
  EXPECT_TRUE(budget.better(value_of(0, 9, 1, 9), value_of(0, 1, 2, 8)))
      << "below the budget the cost is free";
  const EnergyGoal early{.most_cost = {}, .aimed_makespan = ms(10), .aimed_cost = {}};
  EXPECT_TRUE(early.better(value_of(0, 10, 9, 1), value_of(0, 11, 1, 1)));
  EXPECT_TRUE(early.better(value_of(0, 10, 1, 1), value_of(0, 9, 2, 1)));
  EXPECT_TRUE(early.better(value_of(0, 11, 9, 1), value_of(1, 10, 1, 1)));
  const EnergyGoal cheap{.most_cost = {}, .aimed_makespan = {}, .aimed_cost = Money{}};
  EXPECT_TRUE(cheap.better(value_of(0, 1, 9, 3), value_of(0, 1, 1, 4)));
}

// A map takes twice as long on the slow machines, and 40 % of the energy.
TEST(EnergyFrontierOfAPlan, HasTheFastAndTheSlowOne) {
  const Cluster cluster = parse_cluster(R"(
[classes.fast]
power_idle_w = 5
power_map_w = 100
[classes.slow]
power_idle_w = 5
power_map_w = 20
[[nodes]]
class = "fast"
map_slots = 2
[[nodes]]
class = "slow"
speed = 0.5
map_slots = 2
)",
                                        "test");
  const Workload workload{{job_of("A", {100'000, 100'000, 100'000, 100'000}, {})}};
  EnergyProblem problem{&workload, cluster, 1, 100, TaskOrder::longest_first, &all_policies()};
  EXPECT_TRUE(plan_energy(problem, Stop()).frontier.empty());
  problem.frontier = true;
  const PlannedEnergy plan = plan_energy(problem, Stop());
  ASSERT_EQ(plan.frontier.size(), 2U);
  EXPECT_EQ(plan.frontier[0].value.makespan, ms(200'000));
  EXPECT_DOUBLE_EQ(to_joules(plan.frontier[0].value.energy.total()), 2 * 200 * 20 + 2 * 100 * 100 + 10 * 200);
  EXPECT_EQ(plan.frontier[1].value.makespan, ms(400'000));
  EXPECT_EQ(plan.frontier[1].plan, plan.plan);
  EXPECT_TRUE(plan.proved_optimal());
}

// Frugal machines are dear, and greedy ones cheap: 0.1 USD and 0.01 USD for a map.
TEST(PlanEnergyWithABudget, TakesTheFrugalMachinesAsFarAsItReaches) {
  const Cluster cluster = parse_cluster(R"(
[classes.frugal]
power_map_w = 10
power_idle_w = 1
[classes.greedy]
power_map_w = 50
power_idle_w = 1
[[nodes]]
class = "here"
power_idle_w = 1
power_busy_w = 1
reduce_slots = 1
[[nodes]]
class = "frugal"
count = 4
map_slots = 1
rent = true
price_per_hour = 3.6
[[nodes]]
class = "greedy"
count = 4
map_slots = 1
rent = true
price_per_hour = 0.36
)",
                                        "test");
  const Workload workload{{job_of("A", {100'000, 100'000, 100'000, 100'000}, {})}};
  EnergyProblem problem{&workload, cluster, 1, 200, TaskOrder::longest_first, &all_policies()};
  problem.frontier = true;
  const PlannedEnergy free = plan_energy(problem, Stop());
  EXPECT_NEAR(free.value.cost_usd, 0.4, 0.01);
  problem.most_cost = Money{250'000};
  const PlannedEnergy limited = plan_energy(problem, Stop());
  EXPECT_TRUE(limited.affordable);
  EXPECT_LE(limited.value.cost_usd, 0.25);
  EXPECT_GT(limited.value.energy.total(), free.value.energy.total());
  EXPECT_GT(limited.frontier.size(), 2U);
  EXPECT_TRUE(std::any_of(limited.frontier.begin(), limited.frontier.end(), [](const FrontierPlan& each) {
    return each.value.cost_usd > 0.25;
  })) << "the frontier tells what a larger budget would give";
  problem.most_cost = Money{1'000};
  const PlannedEnergy none = plan_energy(problem, Stop());
  EXPECT_FALSE(none.affordable);
  EXPECT_LT(none.value.cost_usd, 0.05) << "the cheapest";
  problem.cluster.nodes[1].price_per_hour = problem.cluster.nodes[2].price_per_hour = 0;
  EXPECT_THROW((void)plan_energy(problem, Stop()), UsageError);
}

// ---- random worlds

// Fast machines take more energy or cost more than slow ones, as a rule.
Cluster some_priced_cluster() {
  Cluster cluster;
  for (const double speed : {1.0, 2.0, 4.0}) {
    NodeGroup group;
    group.node_class = speed == 1 ? "default" : speed == 2 ? "fast" : "fastest";
    group.count = *rc::gen::inRange(1, 3);
    group.speed = speed;
    group.slots = {2, 1};
    group.power_idle_w = 1 + *rc::gen::inRange(0, 5);
    group.power_busy_w = group.power_idle_w + 10 * speed * speed;
    group.price_per_hour = *rc::gen::inRange(1, 9);
    group.rent = speed > 1 && *rc::gen::arbitrary<bool>();
    cluster.nodes.push_back(group);
  }
  return cluster;
}

TEST(EnergyFrontierOfAPlan, HoldsOnlyPlansThatNoneBeatsAndThatCanBeExecuted) {
  int several = 0;
  holds_always(
      [&] {
        Workload workload;
        for (const char* const id : {"A", "B"}) {
          const std::vector<int> maps(static_cast<std::size_t>(*rc::gen::inRange(1, 7)),
                                      *rc::gen::inRange(1, 90));
          Job job = job_of(id, maps, {5}, *rc::gen::inRange(0, 50));
          if (*rc::gen::inRange(0, 4) == 0) job.deadline = job.submit + ms(*rc::gen::inRange(1, 400));
          workload.jobs.push_back(job);
        }
        EnergyProblem problem{&workload, some_priced_cluster(),    1,
                              30,        TaskOrder::longest_first, &all_policies()};
        problem.frontier = true;
        problem.exact_steps = 0;
        const PlannedEnergy plan = worlds::unless_stuck([&] { return plan_energy(problem, Stop()); });
        const std::vector<FrontierPlan>& frontier = plan.frontier;
        RC_ASSERT(std::count_if(frontier.begin(), frontier.end(),
                                [&](const FrontierPlan& each) { return each.plan == plan.plan; }) == 1);
        for (const FrontierPlan& each : frontier) {
          RC_ASSERT(each.value.tardiness <= plan.value.tardiness);
          RC_ASSERT(std::none_of(frontier.begin(), frontier.end(),
                                 [&](const FrontierPlan& other) { return beats(other.value, each.value); }));
          Policy policy = each.plan.policy.empty()
                              ? Policy{make_energy_plan_policy(each.plan), nullptr}
                              : make_policy_on(each.plan.policy, problem.cluster, all_policies());
          const std::optional<EnergyValue> value = evaluate_energy(workload, problem.cluster, policy, 1);
          RC_ASSERT(value.has_value());
          RC_ASSERT(figures_of(*value) == figures_of(each.value));
          RC_ASSERT(value->tardiness == each.value.tardiness);
        }
        for (const EnergyRival& rival : plan.rivals) {
          if (!rival.value || rival.all_on || rival.value->tardiness > plan.value.tardiness) continue;
          RC_ASSERT(std::any_of(frontier.begin(), frontier.end(), [&](const FrontierPlan& each) {
            return beats(each.value, *rival.value) || figures_of(each.value) == figures_of(*rival.value);
          }));
        }
        several += frontier.size() > 1 ? 1 : 0;
        // Whoever has the money for a plan of the frontier gets none that is worse.
        for (const FrontierPlan& each : frontier) {
          problem.frontier = false;
          problem.most_cost = from_usd(each.value.cost_usd);
          const PlannedEnergy limited = plan_energy(problem, Stop());
          RC_ASSERT(limited.affordable);
          RC_ASSERT(limited.value.tardiness <= each.value.tardiness);
          RC_ASSERT(limited.value.tardiness < each.value.tardiness ||
                    limited.value.energy.total() <= each.value.energy.total());
          RC_ASSERT(limited.frontier.empty());
        }
      },
      40);
  EXPECT_GT(several, rare(8));
}

}  // namespace
}  // namespace wavewright
