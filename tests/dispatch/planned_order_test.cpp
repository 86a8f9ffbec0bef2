// Planners as the ordering engine: which order a round gets, by hand and beside the planner's own plan.
#include "wavewright/dispatch/planned_order.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include <gmock/gmock.h>

#include "tests/dispatch/arrivals.h"
#include "tests/property.h"
#include "wavewright/core/error.h"
#include "wavewright/dispatch/run_queue.h"
#include "wavewright/plan/methods/orders.h"
#include "wavewright/plan/planner.h"

namespace wavewright {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using Order = std::vector<JobIndex>;

OrderingEngine engine_by(const std::string& text, Objective objective = Objective::makespan,
                         SlotPool pool = {1, 1}) {
  OrderingEngine engine{.pool = pool, .objective = objective};
  set_engine(engine, text);
  return engine;
}

Order order_by(const OrderingEngine& engine, const std::vector<WaitingJob>& jobs) {
  return order_by_engine(engine, jobs, {}).order;
}

// A map and a reduce each.
std::vector<WaitingJob> five_jobs() {
  const int stages[5][2] = {{4, 5}, {1, 4}, {30, 4}, {6, 30}, {2, 3}};
  std::vector<WaitingJob> jobs;
  for (const auto& [map, reduce] : stages)
    jobs.push_back({std::to_string(jobs.size()), {}, {1, ms(map)}, {1, ms(reduce)}});
  return jobs;
}

// The shorter one stands last.
std::vector<WaitingJob> two_jobs_of(Count maps) {
  return {{"long", {}, {maps, ms(2)}, {1, ms(1)}}, {"short", {}, {maps, ms(1)}, {1, ms(1)}}};
}

std::vector<WaitingJob> some_waiting_jobs(std::size_t most) {
  std::vector<WaitingJob> jobs;
  for (const Job& job : some_arrivals().jobs) {
    if (jobs.size() < most) jobs.push_back(waiting_job(job));
  }
  return jobs;
}

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

TEST(PlannedOrder, IsTheOrderOfThePlan) {
  const std::vector<WaitingJob> jobs = five_jobs();
  EXPECT_EQ(order_by(engine_by("johnson"), jobs), (Order{1, 4, 0, 3, 2}));
  EXPECT_EQ(order_by(engine_by("reverse-johnson"), jobs), (Order{2, 3, 0, 4, 1}));
  EXPECT_EQ(order_by(engine_by("spt"), jobs), (Order{1, 4, 0, 2, 3}));
  EXPECT_EQ(order_by(engine_by("submission"), jobs), (Order{0, 1, 2, 3, 4}));
  const EngineOrder ordered = order_by_engine(engine_by("johnson"), jobs, {});
  EXPECT_TRUE(ordered.searched);
  EXPECT_EQ(ordered.evaluated, 1U);
}

// On one slot of each kind. A before B: all is done at 1 + 100 + 3 ms, but B waits for A's long reduce. B
// before A: 2 + 3 + 100 ms.
TEST(PlannedOrder, IsForTheObjective) {
  const std::vector<WaitingJob> jobs = {{"A", {}, {1, ms(1)}, {1, ms(100)}},
                                        {"B", {}, {1, ms(2)}, {1, ms(3)}}};
  for (const char* const method : {"exhaustive", "genetic", "genetic(population=8)", "best"}) {
    EXPECT_EQ(order_by(engine_by(method), jobs), (Order{0, 1})) << method;
    EXPECT_EQ(order_by(engine_by(method, Objective::total_completion), jobs), (Order{1, 0})) << method;
  }
}

TEST(PlannedOrder, DependsOnTheSeed) {
  const std::vector<WaitingJob> jobs = five_jobs();
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    OrderingEngine engine = engine_by("random");
    engine.planned->seed = seed;
    EXPECT_EQ(order_by(engine, jobs), random_order(batch_of(jobs), seed)) << seed;
  }
}

// Four orders in the first generation; in each later one three, and the best of the one before.
TEST(PlannedOrder, TriesAsManySchedulesAsItMay) {
  std::vector<WaitingJob> jobs = five_jobs();
  OrderingEngine engine = engine_by("genetic(population=4)");
  engine.planned->evaluations = 12;  // three generations
  EXPECT_EQ(order_by_engine(engine, jobs, {}).evaluated, 10U);
  engine.planned->evaluations = 0;  // 1000, and at most 100 generations
  EXPECT_EQ(order_by_engine(engine, jobs, {}).evaluated, 301U);
  for (WaitingJob& job : jobs) job.maps.tasks = 1'000;  // 5010 tasks and jobs: 39, nine generations
  EXPECT_EQ(order_by_engine(engine, jobs, {}).evaluated, 28U);
}

TEST(PlannedOrder, ALargeRoundIsOrderedByTheRule) {
  const auto by_rule = [](const std::string& method, Count maps) {
    const EngineOrder ordered =
        order_by_engine(engine_by(method, Objective::total_completion), two_jobs_of(maps), {});
    EXPECT_EQ(ordered.searched, ordered.evaluated > 0) << method;
    return !ordered.searched && ordered.order == Order{1, 0};
  };
  EXPECT_FALSE(by_rule("genetic", 4'998)) << "10,000 tasks and jobs";
  EXPECT_TRUE(by_rule("genetic", 4'999));
  EXPECT_FALSE(by_rule("submission", 99'998)) << "one schedule is made of it";
  EXPECT_TRUE(by_rule("submission", 99'999));
  EXPECT_TRUE(by_rule("submission", 1'000'000'000'000));
}

// By Johnson's rule a, b, c. The first two together are small enough to be planned.
TEST(PlannedOrder, OfALargeRoundTheFirstJobsArePlannedAndTheOthersFollow) {
  const std::vector<WaitingJob> jobs = {{"c", {}, {200'000, ms(1)}, {1, ms(300'000)}},
                                        {"a", {}, {9'000, ms(1)}, {1, ms(300'000)}},
                                        {"b", {}, {9'001, ms(1)}, {1, ms(300'000)}}};
  const EngineOrder ordered = order_by_engine(engine_by("reverse-johnson"), jobs, {});
  EXPECT_EQ(ordered.order, (Order{2, 1, 0}));
  EXPECT_TRUE(ordered.searched);
  EXPECT_EQ(ordered.evaluated, 1U);
}

// 3,000 tasks and jobs: at most 66 schedules. On one slot none is better than shortest first, and random
// orders of so many jobs are worse.
TEST(PlannedOrder, ASearchOfManyJobsIsShortAndNoWorseThanTheRule) {
  std::vector<WaitingJob> jobs;
  for (int i = 0; i < 1'500; ++i) jobs.push_back({std::to_string(i), {}, {1, ms(1 + i * 7 % 1'500)}, {}});
  const OrderingEngine engine = engine_by("genetic(population=4)", Objective::total_completion);
  const EngineOrder ordered = order_by_engine(engine, jobs, {});
  EXPECT_EQ(ordered.order, shortest_rule(jobs, engine.pool));
  EXPECT_TRUE(ordered.searched);
  EXPECT_GT(ordered.evaluated, 4U);  // more than the orders that it begins with
  EXPECT_LE(ordered.evaluated, round_placements / 3'000);
}

TEST(PlannedOrder, EveryOrderIsTriedOfAFewJobs) {
  std::vector<WaitingJob> jobs;
  for (int i = 0; i < 8; ++i)
    jobs.push_back({std::to_string(i), {}, {3, ms(20 - i)}, {2, ms(5 + 7 * i % 11)}});
  OrderingEngine engine = engine_by("exhaustive", Objective::total_completion, {2, 2});
  EXPECT_FALSE(order_by_engine(engine, jobs, {}).searched);
  EXPECT_EQ(order_by(engine, jobs), shortest_rule(jobs, engine.pool));
  engine.search_up_to = 8;
  EXPECT_TRUE(order_by_engine(engine, jobs, {}).searched);
  engine.search_up_to = 7;
  jobs.pop_back();
  EXPECT_TRUE(order_by_engine(engine, jobs, {}).searched);
}

TEST(PlannedOrder, WhereNoScheduleCanBeMadeTheRuleOrders) {
  const std::vector<WaitingJob> jobs = two_jobs_of(3);
  const std::vector<WaitingJob> unknown = {{"a", {}, {}, {}}, {"b", {}, {}, {}}};
  for (const std::string& name : ordering_methods()) {
    for (const SlotPool pool : {SlotPool{4, 0}, SlotPool{0, 4}}) {
      const EngineOrder ordered =
          order_by_engine(engine_by(name, Objective::total_completion, pool), jobs, {});
      EXPECT_EQ(ordered.order, (Order{1, 0})) << name;
      EXPECT_FALSE(ordered.searched) << name;
    }
    EXPECT_EQ(order_by(engine_by(name), unknown), (Order{0, 1})) << name;
    EXPECT_EQ(order_by(engine_by(name), {jobs[0]}), Order{0}) << name;
    EXPECT_TRUE(order_by(engine_by(name), {}).empty()) << name;
  }
}

TEST(PlannedOrder, IsThePlannersOwnOnTheSameJobs) {
  holds_always([] {
    const auto jobs = some_waiting_jobs(6);
    const Workload batch = batch_of(jobs);
    if (jobs.size() < 2 || batch.tasks() == 0) return;
    const SlotPool pool = some_pool();
    for (const char* const method :
         {"submission", "johnson", "reverse-johnson", "spt", "random", "genetic(population=4)"}) {
      for (const Objective objective : planned_objectives) {
        OrderingEngine engine = engine_by(method, objective, pool);
        engine.planned->seed = 7;
        if (planner(method)->searches()) engine.planned->evaluations = 40;
        const PlanningProblem problem{
            .batch = shared(batch), .cluster = {pool}, .objective = objective, .seed = 7, .evaluations = 40};
        Plan plan = planner(method)->plan(problem, Stop());
        for (const char* const start : {"johnson", "spt"}) {  // what a search gives that finds nothing better
          const Plan known = planner(start)->plan(problem, Stop());
          if (planner(method)->searches() && known.value() < plan.value()) plan = known;
        }
        Order order;
        for (const std::string& id : plan.order) order.push_back(static_cast<JobIndex>(std::stoul(id)));
        RC_ASSERT(order_by(engine, jobs) == order);
      }
    }
  });
}

TEST(PlannedOrder, EachMethodGivesEveryJobOnceAndTheSameOrderAgain) {
  holds_always(
      [] {
        const auto jobs = some_waiting_jobs(8);
        const SlotPool pool = some_pool();
        Order all(jobs.size());
        std::iota(all.begin(), all.end(), JobIndex{0});
        for (const std::string& method : ordering_methods()) {
          for (const Objective objective : planned_objectives) {
            OrderingEngine engine = engine_by(method, objective, pool);
            engine.planned->evaluations = 30;
            Order order = order_by(engine, jobs);
            RC_ASSERT(order == order_by(engine, jobs));
            std::sort(order.begin(), order.end());
            RC_ASSERT(order == all);
          }
        }
      },
      50);
}

TEST(PlannedOrder, TheQueueDispatchesInIt) {
  DispatchQueue queue(make_reorder_policy("pnj(5)"), engine_by("reverse-johnson"));
  for (const WaitingJob& job : five_jobs()) queue.arrive(at_ms(10), job);
  ASSERT_EQ(queue.next_decision(), at_ms(10));
  const Round round = queue.decide(at_ms(10));
  EXPECT_TRUE(round.searched);
  std::string ids;
  for (const WaitingJob& job : round.jobs) ids += job.id;
  EXPECT_EQ(ids, "23041");
}

TEST(PlannedOrder, WhatCanOrderNoQueueIsRefusedAtOnce) {
  const auto refused = [](const std::string& method, Objective objective = Objective::makespan) {
    return refusal([&] { check(engine_by(method, objective)); });
  };
  EXPECT_EQ(refused("johnson"), "");
  EXPECT_THAT(refused("critical-path"), HasSubstr("'critical-path' cannot order waiting jobs: no job waits"));
  for (const char* const method : {"balanced-pools", "balanced-pools-sweep", "balanced-pools-genetic"})
    EXPECT_THAT(refused(method), HasSubstr("it divides the slots into pools")) << method;
  EXPECT_THAT(refused("best", Objective::max_lateness), HasSubstr("no method plans for max-lateness"));
  OrderingEngine own = engine_by("johnson");
  own.own = OwnObjective{[](std::span<const FinishedJob>) { return 0.0; }};
  EXPECT_THAT(refusal([&] { check(own); }), HasSubstr("an objective of one's own"));
  EXPECT_THROW(DispatchQueue(make_reorder_policy("pnj(5)"), engine_by("critical-path")), UsageError);
}

TEST(PlannedOrder, AnEngineIsFoundByItsName) {
  EXPECT_EQ(engine_name(engine_by("alg")), "alg");
  EXPECT_FALSE(engine_by("alg").planned);
  EXPECT_EQ(engine_by("alg").mode, OrderingMode::alg);
  EXPECT_EQ(engine_name(engine_by("genetic(population=20)")), "genetic(population=20)");
  OrderingEngine engine = engine_by("johnson");
  set_engine(engine, "sim");
  EXPECT_EQ(engine_name(engine), "sim");
  EXPECT_THAT(refusal([] { (void)engine_by("jonson"); }), HasSubstr("did you mean 'johnson'"));
  EXPECT_THAT(refusal([] { (void)engine_by("simm"); }), HasSubstr("did you mean 'sim'"));
  EXPECT_THAT(refusal([] { (void)engine_by("sim(3)"); }), HasSubstr("takes no arguments"));
  EXPECT_THAT(refusal([] { (void)engine_by("genetic(population=1)"); }), HasSubstr("population"));
  EXPECT_THAT(ordering_engines(), AllOf(Contains("sim"), Contains("alg"), Contains("best"),
                                        Not(Contains("critical-path")), Not(Contains("balanced-pools"))));
}

}  // namespace
}  // namespace wavewright
