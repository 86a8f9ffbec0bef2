// Documents made from values alone, as a daemon or a binding makes them.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "wavewright/plan/evaluate.h"
#include "wavewright/report/documents/plan_document.h"
#include "wavewright/report/documents/queue_document.h"
#include "wavewright/report/documents/simulation_document.h"
#include "wavewright/sched/policies/fifo.h"

namespace wavewright {
namespace {

Job job_of(const std::string& id, std::int64_t submit, std::int64_t map) {
  Job job;
  job.id = id;
  job.submit = at_ms(submit);
  job.maps = {ms(map)};
  return job;
}

const Workload two{{job_of("a", 0, 30), job_of("b", 10, 5)}};

Plan plan_of_two(SlotCluster cluster) {
  Plan plan;
  plan.order = {"a", "b"};
  plan.pools = {{cluster.pool, plan.order}};
  value_plan(plan, {shared(two), cluster});
  return plan;
}

TEST(PlanDocument, HasTheAnswersThatWereAskedFor) {
  const PlanningProblem problem{shared(two), {{1, 0}}};
  const Plan plan = plan_of_two(problem.cluster);
  const PlanAnswers answers = answer_plan(plan, problem, {.deadline = ms(34)}, [](Count, Count) {}, Stop());
  const Json document = plan_document(plan, answers, two);
  EXPECT_EQ(document["makespan_ms"], 35);
  EXPECT_EQ(document["limits"]["spans"][0]["by"], "map-slots");
  EXPECT_EQ(document["deadline"]["met"], false);
  EXPECT_EQ(document["deadline"]["spare_ms"], -1);
  EXPECT_EQ(document["deadline"]["impossible"], true) << "one slot has 35 ms to work";
  EXPECT_FALSE(document.contains("risk")) << "lengths do not vary";
  EXPECT_FALSE(plan_document(plan, {}, two).contains("deadline"));
}

TEST(PlanDocument, HasTheRiskOfDraws) {
  const PlanningProblem problem{shared(two), {{1, 0}}};
  const Plan plan = plan_of_two(problem.cluster);
  const PlanQuestions asked{.deadline = ms(34), .lengths = {.spread = 0.5}, .samples = 50};
  const PlanAnswers answers = answer_plan(plan, problem, asked, [](Count, Count) {}, Stop());
  const Json risk = plan_document(plan, answers, two)["risk"];
  EXPECT_EQ(risk["samples"], 50);
  EXPECT_EQ(risk["spread"], 0.5);
  EXPECT_GT(risk["meets"]["probability"], 0);
  EXPECT_LT(risk["meets"]["probability"], 1);
}

TEST(PlanDocument, ListsPlansThatWereCompared) {
  std::vector<Plan> plans = {plan_of_two({{1, 0}})};
  Json document = Json::object();
  add_compared(document, plans);
  EXPECT_TRUE(document.empty()) << "one plan is no comparison";
  plans.push_back(plans[0]);
  plans[1].method = "other";
  add_compared(document, plans);
  ASSERT_EQ(document["compared"].size(), 2U);
  EXPECT_EQ(document["compared"][1]["method"], "other");
}

TEST(SimulationDocument, HasNullForWhatDidNotHappen) {
  Workload workload = two;
  workload.jobs[0].deadline = at_ms(30);
  workload.jobs[1].deadline = at_ms(30);
  const auto fifo = make_fifo();
  SimulationResult result = simulate(workload, *fifo, {.pool = {1, 0}});
  const Cluster cluster = flat_cluster({1, 0});
  Json jobs = simulation_document(workload, result, "fifo", cluster)["jobs"];
  EXPECT_EQ(jobs[0]["finish_ms"], 30);
  EXPECT_EQ(jobs[0]["deadline_met"], true);
  EXPECT_EQ(jobs[1]["finish_ms"], 35);
  EXPECT_EQ(jobs[1]["deadline_met"], false);
  EXPECT_TRUE(jobs[1]["local"].is_null()) << "the cluster knows no places";
  result.jobs[1].rejected = true;
  workload.jobs[1].deadline.reset();
  jobs = simulation_document(workload, result, "fifo", cluster)["jobs"];
  EXPECT_TRUE(jobs[1]["finish_ms"].is_null());
  EXPECT_TRUE(jobs[1]["deadline_met"].is_null());
}

TEST(QueueDocument, ComparesTheOrderedRunWithTheUnorderedOne) {
  const auto arrivals = shared({{job_of("long", 0, 30), job_of("short", 0, 5)}});
  DispatchQueue queue(make_reorder_policy("tp-fti(1ms)"), {.pool = {1, 0}});
  QueueOutcome outcome{arrivals, queue.policy().name(), queue.engine(), run_queue(*arrivals, queue), {}, {},
                       "fifo"};
  const auto fifo = make_fifo();
  outcome.ordered = simulate(outcome.run.dispatched, *fifo, {.pool = {1, 0}});
  outcome.unordered = simulate(*arrivals, *fifo, {.pool = {1, 0}});
  const Json document = queue_document(outcome);
  EXPECT_EQ(document["jobs"][0]["finish_ms"], 36) << "dispatched at 1 ms, behind the short one";
  EXPECT_EQ(document["total_completion_ms"], 6 + 36);
  EXPECT_EQ(document["unordered"]["total_completion_ms"], 30 + 35);
  EXPECT_DOUBLE_EQ(document["improvement"]["total_completion"], (65.0 - 42) / 42);
  outcome.ordered.jobs[0].rejected = outcome.ordered.jobs[1].rejected = true;
  EXPECT_TRUE(queue_document(outcome)["improvement"]["makespan"].is_null()) << "no job was done";
}

}  // namespace
}  // namespace wavewright
