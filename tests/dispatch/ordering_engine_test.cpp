// The engine's orders, beside all orders simulated one by one.
#include "wavewright/dispatch/ordering_engine.h"

#include <algorithm>
#include <numeric>

#include "tests/dispatch/arrivals.h"
#include "tests/property.h"
#include "wavewright/core/error.h"
#include "wavewright/sched/policies/ranked_order.h"

namespace wavewright {
namespace {

std::vector<WaitingJob> some_waiting(std::size_t most) {
  std::vector<WaitingJob> jobs;
  for (const Job& job : some_arrivals().jobs) {
    if (jobs.size() < most) jobs.push_back(waiting_job(job));
  }
  return jobs;
}

// By the simulator, not by the list schedule that the engine searches on.
double simulated_value(std::span<const WaitingJob> jobs, Time now, SlotPool pool, Objective objective,
                       std::span<const JobIndex> order) {
  const auto policy = make_ranked_order(order);
  const SimulationResult result = simulate(batch_of(jobs), *policy, {.pool = pool});
  std::vector<FinishedJob> done;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    done.push_back(finished(jobs[i], now + (result.jobs[i].finish - Time{})));
  return value_of(objective, {.jobs = done});
}

double best_of_all(std::span<const WaitingJob> jobs, Time now, SlotPool pool, Objective objective) {
  std::vector<JobIndex> order(jobs.size());
  std::iota(order.begin(), order.end(), JobIndex{0});
  double best = simulated_value(jobs, now, pool, objective, order);
  while (std::next_permutation(order.begin(), order.end()))
    best = std::min(best, simulated_value(jobs, now, pool, objective, order));
  return best;
}

bool is_permutation_of(std::vector<JobIndex> order, std::size_t jobs) {
  std::sort(order.begin(), order.end());
  std::vector<JobIndex> all(jobs);
  std::iota(all.begin(), all.end(), JobIndex{0});
  return order == all;
}

TEST(OrderingEngine, SimulatesTheBestOfAllOrdersForEveryObjective) {
  holds_always(
      [] {
        const auto jobs = some_waiting(5);
        const Time now = at_ms(*rc::gen::inRange(0, 300));
        for (const Objective objective : queue_objectives) {
          const OrderingEngine engine{.pool = some_pool(), .objective = objective};
          const EngineOrder ordered = order_by_engine(engine, jobs, now);
          RC_ASSERT(ordered.searched);
          RC_ASSERT(is_permutation_of(ordered.order, jobs.size()));
          RC_ASSERT(simulated_value(jobs, now, engine.pool, objective, ordered.order) ==
                    best_of_all(jobs, now, engine.pool, objective));
        }
      },
      200);
}

TEST(OrderingEngine, SimulatesAlsoTasksThatTakeNoTime) {
  std::vector<WaitingJob> jobs = {{"a", {}, {2, ms(5)}, {1, ms(0)}}, {"b", {}, {1, ms(1)}, {1, ms(2)}}};
  const OrderingEngine engine{.pool = {1, 1}};
  EXPECT_EQ(order_by_engine(engine, jobs, {}).order, (std::vector<JobIndex>{1, 0}));
}

TEST(OrderingEngine, SearchesUpToSevenJobsAndThenTakesTheRule) {
  std::vector<WaitingJob> jobs;
  for (int i = 0; i < 8; ++i)
    jobs.push_back({std::to_string(i), {}, {3, ms(20 - i)}, {2, ms(5 + 7 * i % 11)}});
  OrderingEngine engine{.pool = {2, 2}};
  EXPECT_FALSE(order_by_engine(engine, jobs, {}).searched);
  EXPECT_EQ(order_by_engine(engine, jobs, {}).order, shortest_rule(jobs, engine.pool));
  jobs.pop_back();
  EXPECT_TRUE(order_by_engine(engine, jobs, {}).searched);
  engine.mode = OrderingMode::alg;
  EXPECT_FALSE(order_by_engine(engine, jobs, {}).searched);
  EXPECT_EQ(order_by_engine(engine, jobs, {}).order, shortest_rule(jobs, engine.pool));
}

TEST(OrderingEngine, TakesAnObjectiveOfOnesOwn) {
  // As many jobs as possible done within 10 ms: the two short ones, though the long one is worth a rule's
  // while.
  const std::vector<WaitingJob> jobs = {
      {"long", {}, {1, ms(9)}, {}}, {"short", {}, {1, ms(4)}, {}}, {"middle", {}, {1, ms(6)}, {}}};
  OrderingEngine engine{.pool = {1, 1}};
  engine.own = {[](std::span<const FinishedJob> jobs_done) {
    return static_cast<double>(std::count_if(jobs_done.begin(), jobs_done.end(),
                                             [](const FinishedJob& job) { return job.finish > at_ms(10); }));
  }};
  const EngineOrder ordered = order_by_engine(engine, jobs, {});
  EXPECT_EQ(ordered.order, (std::vector<JobIndex>{1, 2, 0}));
  engine.mode = OrderingMode::alg;
  EXPECT_EQ(order_by_engine(engine, jobs, {}).order, (std::vector<JobIndex>{0, 1, 2})) << "no rule was given";
}

TEST(OrderingEngine, RefusesToSearchAmongTooMany) {
  OrderingEngine engine{.pool = {1, 1}};
  engine.search_up_to = 12;
  EXPECT_NO_THROW(check(engine));
  engine.search_up_to = 13;
  EXPECT_THROW(check(engine), UsageError);
  engine.objective = Objective::max_lateness;
  engine.search_up_to = 10;
  EXPECT_THROW(check(engine), UsageError);
}

TEST(OrderingRules, JohnsonsOrderOfTheFiveJobs) {
  const int stages[5][2] = {{4, 5}, {1, 4}, {30, 4}, {6, 30}, {2, 3}};
  std::vector<WaitingJob> jobs;
  for (const auto& [map, reduce] : stages) jobs.push_back({"j", {}, {30, ms(map)}, {30, ms(reduce)}});
  EXPECT_EQ(johnson_rule(jobs, {30, 30}), (std::vector<JobIndex>{1, 4, 0, 3, 2}));
  EXPECT_EQ(shortest_rule(jobs, {30, 30}), (std::vector<JobIndex>{1, 4, 0, 2, 3}));
}

TEST(OrderingRules, TheStagesAreSpreadOverTheSlots) {
  const std::vector<WaitingJob> jobs = {{"a", {}, {10, ms(30)}, {4, ms(50)}},
                                        {"b", {}, {3, ms(100)}, {1, ms(30)}}};
  EXPECT_EQ(fluid_times(jobs[0], {20, 8}).map, ms(15));
  EXPECT_EQ(fluid_times(jobs[0], {20, 8}).reduce, ms(25));
  EXPECT_EQ(shortest_rule(jobs, {20, 8}), (std::vector<JobIndex>{1, 0}));
  EXPECT_EQ(shortest_rule(jobs, {1, 1}), (std::vector<JobIndex>{1, 0}));
  EXPECT_EQ(shortest_rule(jobs, {1, 100}), (std::vector<JobIndex>{1, 0}));
}

// One machine, jobs of one task: where Smith's and Jackson's rules, and shortest first, are optimal.
TEST(OrderingRules, AreBestWhereTheyAreProvedToBe) {
  holds_always(
      [] {
        auto jobs = some_waiting(5);
        for (WaitingJob& job : jobs) {
          job.maps.tasks = 1;
          job.maps.mean = ms(*rc::gen::inRange(1, 50));
          job.reduces = {};
        }
        for (const Objective objective :
             {Objective::total_completion, Objective::weighted_completion, Objective::max_lateness}) {
          const auto order = rule_of(objective)(jobs, {1, 1});
          RC_ASSERT(is_permutation_of(order, jobs.size()));
          const double ours = simulated_value(jobs, at_ms(500), {1, 1}, objective, order);
          RC_ASSERT(std::abs(ours - best_of_all(jobs, at_ms(500), {1, 1}, objective)) < 1e-6);
        }
      },
      300);
}

// Likewise Johnson's, where a stage has one slot and a job one task of each.
TEST(OrderingRules, JohnsonsIsBestOnTwoMachines) {
  holds_always(
      [] {
        auto jobs = some_waiting(5);
        for (WaitingJob& job : jobs) job.maps.tasks = job.reduces.tasks = 1;
        for (WaitingJob& job : jobs) {
          job.maps.mean = ms(*rc::gen::inRange(1, 50));
          job.reduces.mean = ms(*rc::gen::inRange(1, 50));
        }
        RC_ASSERT(simulated_value(jobs, {}, {1, 1}, Objective::makespan, johnson_rule(jobs, {1, 1})) ==
                  best_of_all(jobs, {}, {1, 1}, Objective::makespan));
      },
      300);
}

TEST(WaitingJobs, AreWhatIsKnownOfAJob) {
  Job job;
  job.id = "j";
  job.submit = at_ms(7);
  job.maps = {ms(10), ms(20), ms(31)};
  job.reduces = {ms(5), ms(8)};
  job.first_shuffles = {ms(1), ms(2)};
  job.delay_cost_per_s = 4;
  const WaitingJob waiting = waiting_job(job);
  EXPECT_EQ(waiting, (WaitingJob{"j", at_ms(7), {3, ms(20)}, {2, ms(7)}, std::nullopt, 4}));
  job.shuffles = {ms(9), ms(9)};
  EXPECT_EQ(waiting_job(job).reduces.mean, ms(8)) << "6 and 10: the shorter shuffle counts";
}

}  // namespace
}  // namespace wavewright
