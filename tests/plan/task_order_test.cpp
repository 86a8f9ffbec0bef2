// Plans and the order of tasks within jobs: values, numbers of tasks, and what the bounds hold for.
#include "wavewright/job/task_order.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "tests/property.h"
#include "tests/sim/small_jobs.h"
#include "tests/sim/worlds.h"
#include "wavewright/core/random.h"
#include "wavewright/plan/all_methods.h"
#include "wavewright/plan/evaluate.h"
#include "wavewright/sched/plan_file.h"
#include "wavewright/sched/policies/plan_policy.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

Workload one_job() {
  return {{job_of("A", {5, 8, 9, 50, 50}, {})}};
}

PlanningProblem problem_of(const Workload& listed, SlotPool pool, TaskOrder order) {
  PlanningProblem problem{shared(in_task_order(listed, order)), {pool}};
  problem.task_order = order;
  problem.evaluations = 200;
  return problem;
}

TEST(PlanTaskOrder, LongestFirstEndsSooner) {
  const auto makespan = [](TaskOrder order) {
    return plan_by("submission", problem_of(one_job(), {4, 1}, order), Stop()).makespan;
  };
  EXPECT_EQ(makespan(TaskOrder::as_listed), ms(55));
  EXPECT_EQ(makespan(TaskOrder::longest_first), ms(50));
}

TEST(PlanTaskOrder, IsInThePlanFileAndSimulated) {
  const Plan made = plan_by("submission", problem_of(one_job(), {4, 1}, TaskOrder::longest_first), Stop());
  const Plan read = plan_from_json(plan_to_json(made).dump(), "the plan");
  ASSERT_EQ(read.task_order, TaskOrder::longest_first);
  const SimulationResult result = simulate_plan(read, one_job(), {{4, 1}}, true);
  EXPECT_EQ(result.makespan, ms(50));
  ASSERT_EQ(result.trace.size(), 5U);
  for (const TaskRecord& task : result.trace)
    EXPECT_EQ(task.end - task.start, one_job().jobs[0].maps[task.task]) << "numbers are the listed ones";
  EXPECT_EQ(plan_from_json(R"({"order": ["A"]})", "").task_order, TaskOrder::as_listed) << "as before";
}

// By the engines that clusters use, too, for the trace and for a sink of tasks.
TEST(PlanTaskOrder, HoldsOnNodes) {
  Plan plan = plan_by("submission", problem_of(one_job(), {4, 1}, TaskOrder::longest_first), Stop());
  plan.pools.clear();
  ClusterOptions options;
  options.cluster = flat_cluster({4, 1});
  options.cluster.mode.launch = ms(1);
  options.trace = true;
  struct Sink final : TaskSink {
    void begin(const std::vector<std::string>&) override {}
    void add(const TaskRecord& record) override { tasks.push_back(record); }
    std::vector<TaskRecord> tasks;
  } sink;
  options.sink = &sink;
  for (const bool reference : {false, true}) {
    Policy policy{make_plan_policy(plan), nullptr};
    const SimulationResult result = reference ? simulate_on_reference(one_job(), policy, options)
                                              : simulate_on(one_job(), policy, options);
    EXPECT_EQ(result.makespan, ms(51));
    for (const TaskRecord& task : result.trace)
      EXPECT_EQ(task.end - task.start, one_job().jobs[0].maps[task.task] + ms(1));
  }
  ASSERT_EQ(sink.tasks.size(), 5U);
  for (const TaskRecord& task : sink.tasks)
    EXPECT_EQ(task.end - task.start, one_job().jobs[0].maps[task.task] + ms(1));
}

// No order of tasks beats the order-free bound; no plan with the same order of tasks beats the other one.
TEST(PlanTaskOrder, BoundsHoldForTheirModels) {
  holds_always(
      [] {
        Workload listed = worlds::some_workload({false, true});
        const SlotPool pool{*rc::gen::inRange<Count>(1, 5), *rc::gen::inRange<Count>(1, 4)};
        const Plan plan = plan_by("best", problem_of(listed, pool, TaskOrder::as_listed), Stop());
        RC_ASSERT(plan.order_free_bound <= plan.lower_bound);
        for (const char* const method : {"johnson", "spt", "submission"}) {
          RC_ASSERT(plan_by(method, problem_of(listed, pool, TaskOrder::as_listed), Stop()).makespan >=
                    plan.lower_bound);
          RC_ASSERT(plan_by(method, problem_of(listed, pool, TaskOrder::longest_first), Stop()).makespan >=
                    plan.order_free_bound);
        }
        Random random(*rc::gen::arbitrary<std::uint64_t>(), "tasks");
        for (int again = 0; again < 4; ++again) {
          for (Job& job : listed.jobs) {
            for (std::size_t i = job.maps.size(); i > 1; --i)
              std::swap(job.maps[i - 1], job.maps[random.below(i)]);
          }
          RC_ASSERT(plan_by("johnson", problem_of(listed, pool, TaskOrder::as_listed), Stop()).makespan >=
                    plan.order_free_bound);
        }
      },
      200, 15);
}

// Maps listed shortest first: the demand bound for that order is above one that holds for all.
TEST(PlanTaskOrder, ATighterBoundHoldsForTheListedOrderOnly) {
  Workload batch;
  Random random(1, "jobs");
  for (int i = 0; i < 6; ++i) {
    Job job;
    job.id = "J" + std::to_string(i);
    for (std::uint64_t left = 8 + random.below(24); left > 0; --left)
      job.maps.push_back(ms(1 + static_cast<int>(random.below(1000))));
    for (std::uint64_t left = 8 + random.below(8); left > 0; --left)
      job.reduces.push_back(ms(1 + static_cast<int>(random.below(1000))));
    std::sort(job.maps.begin(), job.maps.end());
    batch.jobs.push_back(std::move(job));
  }
  const auto planned = [&](TaskOrder order) {
    PlanningProblem problem = problem_of(batch, {16, 16}, order);
    problem.evaluations = 1000;
    return plan_by("best", problem, Stop());
  };
  const Plan as_listed = planned(TaskOrder::as_listed), longest_first = planned(TaskOrder::longest_first);
  EXPECT_GT(as_listed.lower_bound, as_listed.order_free_bound);
  EXPECT_EQ(longest_first.lower_bound, longest_first.order_free_bound);
  EXPECT_LE(as_listed.order_free_bound, longest_first.makespan);
  EXPECT_EQ(plan_to_json(as_listed).at("lower_bound_model"), "this-task-order");
  EXPECT_EQ(plan_to_json(longest_first).at("lower_bound_model"), "any-task-order");
}

// Two slots, maps 3 2 2 3 2: longest first takes 7, as listed 6.
TEST(PlanTaskOrder, AsListedIsKeptWhereItIsBetter) {
  const Workload batch{{job_of("A", {3, 2, 2, 3, 2}, {})}};
  const Plan plan = plan_by("submission", problem_of(batch, {2, 1}, TaskOrder::longest_first), Stop());
  ASSERT_EQ(plan.makespan, ms(7));
  const Plan better = better_task_order(plan, problem_of(batch, {2, 1}, TaskOrder::as_listed));
  EXPECT_EQ(better.makespan, ms(6));
  EXPECT_EQ(better.task_order, TaskOrder::as_listed);
  EXPECT_TRUE(better.proved_optimal);
}

}  // namespace
}  // namespace wavewright
