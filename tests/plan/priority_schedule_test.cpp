// The evaluator of rankings beside the simulator, which runs the plan of the ranking.
#include "wavewright/plan/schedule/priority_schedule.h"

#include <algorithm>
#include <numeric>

#include "tests/plan/small_batch.h"
#include "tests/property.h"
#include "tests/sim/worlds.h"
#include "wavewright/core/random.h"
#include "wavewright/plan/methods/annealing.h"
#include "wavewright/plan/schedule/list_schedule.h"
#include "wavewright/sched/plan_check.h"
#include "wavewright/sched/plan_file.h"
#include "wavewright/sched/policies/plan_policy.h"
#include "wavewright/sim/simulate.h"

namespace wavewright {
namespace {

using rc::gen::inRange;

Workload some_batch() {
  Workload batch = worlds::some_workload();
  worlds::lengthen(batch);
  return batch;
}

PriorityRule some_priority_rule(std::size_t jobs, SlotPool pool) {
  PriorityRule rule;
  const bool caps = *rc::gen::arbitrary<bool>();
  const auto stage = [&](PriorityRule::Stage& ranks) {
    for (std::size_t job = 0; job < jobs; ++job) {
      ranks.due.push_back(*inRange(-40, 200));
      ranks.cap.push_back(caps && *inRange(0, 2) == 0 ? *inRange(1U, 4U) : PriorityRule::uncapped);
      ranks.steps.emplace_back();
      if (*inRange(0, 2) == 0) ranks.steps.back() = {*inRange(1U, 4U), *inRange(0, 60)};
    }
  };
  stage(rule.maps);
  stage(rule.reduces);
  const Count pools = *inRange<Count>(1, std::min({pool.map_slots, pool.reduce_slots, Count{3}}) + 1);
  SlotPool left = pool;
  for (Count i = pools; i > 1; --i) {
    const SlotPool part{*inRange<Count>(1, left.map_slots - i + 2),
                        *inRange<Count>(1, left.reduce_slots - i + 2)};
    rule.pools.push_back(part);
    left.map_slots -= part.map_slots;
    left.reduce_slots -= part.reduce_slots;
  }
  rule.pools.push_back(left);
  for (std::size_t job = 0; job < jobs; ++job)
    rule.pool_of.push_back(static_cast<std::uint32_t>(*inRange<Count>(0, pools)));
  return rule;
}

TEST(PrioritySchedule, IsWorthWhatTheSimulatorSaysOfItsPlan) {
  int in_turns = 0, capped = 0, pooled = 0, early = 0;
  holds_always(
      [&] {
        const Workload batch = some_batch();
        const SlotPool pool{*inRange<Count>(1, 6), *inRange<Count>(1, 6)};
        RC_PRE(PrioritySchedule::models(batch, pool));
        const double slowstart = *inRange(0, 2) == 0 ? 1.0 : *inRange(0, 20) / 20.0;
        PrioritySchedule schedule(batch, slowstart);
        for (int again = 0; again < 3; ++again) {
          const PriorityRule rule = some_priority_rule(batch.jobs.size(), pool);
          Plan plan;
          set_priority_rule(plan, rule, batch);
          check_plan(plan, batch, pool, "the plan");
          const auto policy = make_plan_policy(plan, pool);
          const SimulationResult result = simulate(batch, *policy, {pool, slowstart, false});
          const PlanValue value = schedule.value(rule);
          for (JobIndex job = 0; job < batch.jobs.size(); ++job) {
            RC_ASSERT(at_ms(schedule.map_ends()[job]) == result.jobs[job].maps_done);
            RC_ASSERT(at_ms(schedule.ends()[job]) == result.jobs[job].finish);
          }
          RC_ASSERT(value.makespan == result.makespan);
          RC_ASSERT(value.total_completion == result.total_completion);
          in_turns += plan.map_turns.empty() ? 0 : 1;
          capped += plan.caps.empty() ? 0 : 1;
          pooled += plan.pools.size() > 1 ? 1 : 0;
          early += slowstart < 1 ? 1 : 0;
        }
      },
      20'000, 1'500);
  EXPECT_GT(in_turns, 0);
  EXPECT_GT(capped, 0);
  EXPECT_GT(pooled, 0);
  EXPECT_GT(early, 0);
}

TEST(PrioritySchedule, GivesUpOnlyWhatIsBeyondALimit) {
  int given_up = 0, whole = 0;
  holds_always(
      [&] {
        const Workload batch = some_batch();
        const SlotPool pool{*inRange<Count>(1, 6), *inRange<Count>(1, 6)};
        RC_PRE(PrioritySchedule::models(batch, pool));
        PrioritySchedule schedule(batch, *inRange(0, 2) == 0 ? 1.0 : 0.5);
        const PriorityRule rule = some_priority_rule(batch.jobs.size(), pool);
        const PlanValue value = schedule.value(rule);
        const auto near = [](Duration of) { return to_ms(of) + *inRange<std::int64_t>(-20, 20); };
        const std::int64_t latest = *inRange(0, 3) == 0 ? no_time : near(value.makespan);
        const std::int64_t total = *inRange(0, 3) == 0 ? no_time : near(value.total_completion);
        const auto within = schedule.value_within(rule, latest, total);
        if (within) RC_ASSERT(*within == value);
        if (!within) RC_ASSERT(to_ms(value.makespan) > latest || to_ms(value.total_completion) > total);
        ++(within ? whole : given_up);
      },
      5'000, 600);
  EXPECT_GT(given_up, 0);
  EXPECT_GT(whole, 0);
}

// Many changes, each from a ranking that was kept, as a search makes them; of batches that are large enough
// for states to be kept on the way.
TEST(PrioritySchedule, GoesOnFromWhatWasKeptAsIfMadeAnew) {
  for (const double slowstart : {1.0, 0.3}) {
    for (const bool alike : {false, true}) {
      Workload batch = small_batch(150);
      Random random(alike ? 1 : 2, "test");
      for (Job& job : batch.jobs) {
        for (auto* lengths : {&job.maps, &job.reduces}) {
          if (random.below(6) == 0) lengths->clear();
          if (!lengths->empty()) lengths->resize(4 + random.below(20), lengths->front());
          for (Duration& length : *lengths)
            length = alike ? lengths->front() : ms(1 + static_cast<int>(random.below(90)));
        }
        if (random.below(3) == 0) job.submit = at_ms(static_cast<std::int64_t>(random.below(2'000)));
      }
      const SlotPool pool{9, 6};
      PrioritySchedule schedule(batch, slowstart);
      std::vector<JobIndex> order(150);
      std::iota(order.begin(), order.end(), JobIndex{0});
      PriorityRule now = with_slack(priority_rule_of_orders(batch, pool, order, order), schedule);
      (void)schedule.value(now);
      schedule.keep(now);
      for (int change = 0; change < fewer(2'000, 500); ++change) {
        PriorityRule tried = now;
        for (std::uint64_t left = 1 + random.below(2); left > 0; --left) {
          PriorityRule::Stage& stage = random.below(2) == 0 ? tried.maps : tried.reduces;
          const std::size_t job = random.below(150);
          const std::int64_t furthest = random.below(2) == 0 ? 500 : 40;
          stage.due[job] += static_cast<std::int64_t>(random.below(1'000)) * furthest / 500 - furthest;
          if (random.below(4) == 0) stage.cap[job] = random.below(2) == 0 ? 2 : PriorityRule::uncapped;
          if (random.below(4) == 0) stage.steps[job] = {};
          if (random.below(4) == 0) {
            stage.steps[job] = {static_cast<std::uint32_t>(1 + random.below(9)),
                                static_cast<std::int64_t>(random.below(200))};
          }
        }
        if (random.below(50) == 0) {
          tried.pools = {{4, 3}, {5, 3}};
          for (std::uint32_t& of : tried.pool_of) of = static_cast<std::uint32_t>(random.below(2));
        }
        if (random.below(4) == 0) {  // what was given up leaves no trace
          (void)schedule.value_within(tried, static_cast<std::int64_t>(random.below(20'000)), no_time);
        }
        PrioritySchedule fresh(batch, slowstart);
        const PlanValue value = schedule.value(tried), anew = fresh.value(tried);
        ASSERT_TRUE(std::ranges::equal(schedule.map_ends(), fresh.map_ends())) << change;
        ASSERT_TRUE(std::ranges::equal(schedule.ends(), fresh.ends())) << change;
        ASSERT_EQ(value, anew) << change;
        if (random.below(3) > 0) continue;
        now = tried;
        schedule.keep(now);
        if (now.pools.size() > 1) {
          now.pools = {pool};
          std::fill(now.pool_of.begin(), now.pool_of.end(), 0);
        }
      }
    }
  }
}

TEST(PrioritySchedule, OfOrdersIsTheListSchedule) {
  const Workload batch = small_batch(40);
  std::vector<JobIndex> maps, reduces;
  for (JobIndex job = 0; job < 40; ++job) maps.push_back(job * 7 % 40), reduces.push_back(job * 11 % 40);
  PrioritySchedule priority(batch, 1);
  ListSchedule list(batch, {5, 3});
  EXPECT_EQ(priority.value(priority_rule_of_orders(batch, {5, 3}, maps, reduces)), list.value(maps, reduces));
}

// Two jobs on one slot: the long task of A goes first, then B, then what is left of A.
TEST(PrioritySchedule, TheLeastSlackGoesFirst) {
  Workload batch = small_batch(2);
  batch.jobs[0].maps = {ms(90), ms(10)};
  batch.jobs[1].maps = {ms(40)};
  for (Job& job : batch.jobs) job.reduces.clear();
  PriorityRule rule =
      priority_rule_of_orders(batch, {1, 1}, std::vector<JobIndex>{0, 1}, std::vector<JobIndex>{0, 1});
  rule.maps.due = {100, 100};
  PrioritySchedule schedule(batch, 1);
  EXPECT_EQ(schedule.value(rule).makespan, ms(140));
  EXPECT_EQ(schedule.ends()[0], 140);
  EXPECT_EQ(schedule.ends()[1], 130);
  Plan plan;
  set_priority_rule(plan, rule, batch);
  EXPECT_EQ(plan.map_turns, (std::vector<PlanTurn>{{"J0", 1}, {"J1", 1}, {"J0", 1}}));
  EXPECT_EQ(plan.order, (std::vector<std::string>{"J0", "J1"}));
}

// Of four tasks on three slots one has to be followed by another: it goes first, then B beside it, and the
// other three all at once.
TEST(PrioritySchedule, AStepGoesBeforeTheNext) {
  Workload batch = small_batch(2);
  batch.jobs[0].maps.assign(4, ms(10));
  batch.jobs[1].maps.assign(4, ms(5));
  for (Job& job : batch.jobs) job.reduces.clear(), job.submit = at_ms(0);
  const std::vector<JobIndex> order = {0, 1};
  PriorityRule rule = priority_rule_of_orders(batch, {3, 1}, order, order);
  rule.maps.due = {20, 12};
  PrioritySchedule schedule(batch, 1);
  EXPECT_EQ(schedule.value(rule).total_completion, ms(25 + 10));  // B, then A
  rule.maps.steps[0] = {3, 10};
  EXPECT_EQ(schedule.value(rule).total_completion, ms(20 + 10));
  Plan plan;
  set_priority_rule(plan, rule, batch);
  EXPECT_EQ(plan.map_turns, (std::vector<PlanTurn>{{"J0", 1}, {"J1", 4}, {"J0", 3}}));
  // Steps of all tasks are none.
  rule.maps.steps[0] = {4, 10};
  EXPECT_EQ(schedule.value(rule).total_completion, ms(25 + 10));
}

TEST(PriorityRule, OfAPlanIsThePlan) {
  const Workload batch = small_batch(6);
  Plan plan;
  plan.order = {"J3", "J0", "J5", "J1", "J2", "J4"};
  plan.map_order = plan.order;
  plan.reduce_order = {"J3", "J5", "J0", "J4", "J1", "J2"};
  plan.pools = {{{2, 1}, {"J3", "J0", "J5"}}, {{1, 2}, {"J1", "J2", "J4"}}};
  plan.caps = {{"J1", 2, std::nullopt}, {"J2", std::nullopt, 1}};
  Plan again;
  set_priority_rule(again, priority_rule_of(plan, batch, {3, 3}), batch);
  EXPECT_EQ(again.order, plan.order);
  EXPECT_EQ(again.map_order, plan.map_order);
  EXPECT_EQ(again.reduce_order, plan.reduce_order);
  EXPECT_EQ(again.caps, plan.caps);
  ASSERT_EQ(again.pools.size(), 2U);
  EXPECT_EQ(again.pools[1].jobs, plan.pools[1].jobs);
  EXPECT_EQ(again.pools[1].slots, plan.pools[1].slots);
  EXPECT_TRUE(again.map_turns.empty());
  // A cap beyond every number of tasks is none.
  plan.caps = {{"J1", Count{1} << 61, Count{1} << 32}};
  set_priority_rule(again, priority_rule_of(plan, batch, {3, 3}), batch);
  EXPECT_TRUE(again.caps.empty());
}

}  // namespace
}  // namespace wavewright
