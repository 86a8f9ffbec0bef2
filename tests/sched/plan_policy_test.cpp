// A plan executed: its orders, pools, turns and caps.
#include "wavewright/sched/policies/plan_policy.h"

#include <gmock/gmock.h>

#include "tests/sched/queued_jobs.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

class PlanPolicy : public OnEachEngine {
 protected:
  static SimulationResult run_plan(const Plan& plan, const Workload& workload, SlotPool slots) {
    Policy policy{make_plan_policy(plan, slots), nullptr};
    return GetParam()(workload, policy, {slot_nodes(1, slots), 1, true});
  }
};

Plan in_order(std::vector<std::string> order) {
  Plan plan;
  plan.order = std::move(order);
  return plan;
}

Workload three_jobs() {
  return {{job_of("A", {10}, {10}), job_of("B", {10}, {10}), job_of("C", {10}, {10})}};
}

TEST_P(PlanPolicy, ServesJobsInItsOrder) {
  const auto result = run_plan(in_order({"C", "A", "B"}), three_jobs(), {1, 1});
  EXPECT_EQ(result.jobs[2].finish, at_ms(20));
  EXPECT_EQ(result.jobs[0].finish, at_ms(30));
  EXPECT_EQ(result.jobs[1].finish, at_ms(40));
}

TEST_P(PlanPolicy, ServesMapsAndReducesInOrdersOfTheirOwn) {
  Plan plan = in_order({"A", "B", "C"});
  plan.map_order = {"B", "A", "C"};
  plan.reduce_order = {"C", "B", "A"};
  Workload workload = three_jobs();
  workload.jobs.push_back(job_of("D", {}, {35}));  // has the reduce slot until all maps are done
  plan.order = {"D", "A", "B", "C"};
  plan.map_order.push_back("D");
  plan.reduce_order.push_back("D");
  const auto result = run_plan(plan, workload, {1, 1});
  EXPECT_EQ(result.jobs[1].maps_done, at_ms(10));
  EXPECT_EQ(result.jobs[0].maps_done, at_ms(20));
  EXPECT_EQ(result.jobs[2].finish, at_ms(45));
  EXPECT_EQ(result.jobs[1].finish, at_ms(55));
  EXPECT_EQ(result.jobs[0].finish, at_ms(65));
}

TEST_P(PlanPolicy, LeavesTheOrderOfTheOtherKindAsItIs) {
  Plan plan = in_order({"C", "B", "A"});
  plan.map_order = {"A", "B", "C"};
  // Maps end at 10, 20, 30. D's reduce ends at 35; then reduces go by the plan's order: C, B, A.
  plan.order.push_back("D");
  plan.map_order.push_back("D");
  Workload workload = three_jobs();
  workload.jobs.push_back(job_of("D", {}, {35}));
  const auto result = run_plan(plan, workload, {1, 1});
  EXPECT_EQ(result.jobs[0].maps_done, at_ms(10));
  EXPECT_EQ(result.jobs[2].finish, at_ms(45));
  EXPECT_EQ(result.jobs[0].finish, at_ms(65));
}

TEST_P(PlanPolicy, KeepsJobsToTheSlotsOfTheirPool) {
  Plan plan = in_order({"A", "B", "C"});
  plan.pools = {{{3, 1}, {"A", "B"}}, {{1, 2}, {"C"}}};
  const Workload workload{{job_of("A", equal(2, 10), equal(3, 10)), job_of("B", equal(6, 10), {}),
                           job_of("C", equal(3, 10), equal(4, 10))}};
  const auto result = run_plan(plan, workload, {4, 3});
  EXPECT_EQ(running(result, Kind::map, 0), (Counts{2, 1, 1}));
  EXPECT_EQ(running(result, Kind::map, 10), (Counts{0, 3, 1}));
  EXPECT_EQ(running(result, Kind::map, 20), (Counts{0, 2, 1})) << "C's third map has the pool's one slot";
  EXPECT_EQ(running(result, Kind::reduce, 10), (Counts{1, 0, 0})) << "A's pool has one reduce slot";
  EXPECT_EQ(running(result, Kind::reduce, 30), (Counts{1, 0, 2}));
}

TEST_P(PlanPolicy, LeavesSlotsIdleThatItsOnePoolDoesNotHave) {
  Plan plan = in_order({"A"});
  plan.pools = {{{2, 1}, {"A"}}};
  const Workload workload{{job_of("A", equal(4, 10), equal(2, 10))}};
  EXPECT_EQ(run_plan(plan, workload, {4, 2}).jobs[0].finish, at_ms(40)) << "two waves of each kind";
  plan.pools[0].slots = {4, 2};
  EXPECT_EQ(run_plan(plan, workload, {4, 2}).jobs[0].finish, at_ms(20));
}

TEST_P(PlanPolicy, LetsJobsTakeTurns) {
  Plan plan = in_order({"A", "B"});
  plan.map_turns = {{"A", 2}, {"B", 1}, {"A", 2}, {"B", 2}, {"A", 1}};
  const auto result =
      run_plan(plan, {{job_of("A", equal(5, 10), {}), job_of("B", equal(3, 10), {})}}, {1, 0});
  std::string order;
  for (const TaskRecord& task : result.trace) order += task.job == 0 ? 'A' : 'B';
  EXPECT_EQ(order, "AABAABBA");
}

TEST_P(PlanPolicy, LetsReducesTakeTurnsOfTheirOwn) {
  Plan plan = in_order({"A", "B"});
  plan.reduce_turns = {{"B", 1}, {"A", 2}, {"B", 1}};
  const Workload workload{
      {job_of("A", {5}, equal(2, 10)), job_of("B", {5}, equal(2, 10)), job_of("C", {}, {20})}};
  plan.order.push_back("C");
  plan.reduce_turns.insert(plan.reduce_turns.begin(), {"C", 1});
  const auto result =
      run_plan(plan, workload, {1, 1});  // C's reduce ends at 20; both jobs' maps are done then
  std::string order;
  for (const TaskRecord& task : result.trace) {
    if (task.kind == Kind::reduce) order += "ABC"[task.job];
  }
  EXPECT_EQ(order, "CBAAB");
  EXPECT_EQ(result.jobs[0].maps_done, at_ms(5)) << "maps go by the order";
}

TEST_P(PlanPolicy, AJobThatHasUsedUpItsTurnsKeepsTheRankOfItsLastOne) {
  Plan plan = in_order({"A", "B"});
  plan.map_turns = {{"A", 1}, {"B", 1}};  // of jobs that have more tasks than turns
  const auto result =
      run_plan(plan, {{job_of("A", equal(2, 10), {}), job_of("B", equal(2, 10), {})}}, {1, 0});
  EXPECT_EQ(result.jobs[0].finish, at_ms(20));
  EXPECT_EQ(result.jobs[1].finish, at_ms(40));
}

TEST_P(PlanPolicy, CapsTheTasksThatAJobRunsAtOnce) {
  Plan plan = in_order({"A", "B"});
  plan.caps = {{"A", 2, 1}, {"B", std::nullopt, 2}};
  const Workload workload{{job_of("A", equal(6, 10), equal(3, 10)), job_of("B", equal(9, 10), equal(9, 10))}};
  const auto result = run_plan(plan, workload, {4, 4});
  // A's six maps take three rounds of two; B has the other slots, and all four in the next round.
  EXPECT_EQ(running(result, Kind::map, 0), (Counts{2, 2}));
  EXPECT_EQ(running(result, Kind::map, 20), (Counts{2, 2}));
  EXPECT_EQ(running(result, Kind::map, 30), (Counts{0, 3}));
  EXPECT_EQ(running(result, Kind::reduce, 40), (Counts{1, 2}));
}

TEST_P(PlanPolicy, RefusesAJobThatItDoesNotName) {
  try {
    (void)run_plan(in_order({"A", "B"}), three_jobs(), {1, 1});
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("does not name job 'C'"));
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, PlanPolicy, all_engines(), name_of_engine);

}  // namespace
}  // namespace wavewright
