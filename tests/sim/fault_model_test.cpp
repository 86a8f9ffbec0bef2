// Attempts that fail or are slow, and nodes that come and go, rule by rule.
#include <gmock/gmock.h>

#include <map>

#include "tests/sim/small_clusters.h"
#include "tests/sim/small_jobs.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

class FaultModel : public OnEachEngine {};

// The first node is ten times slower. Slow tasks get second attempts.
Cluster one_slow_node_of_three() {
  Cluster cluster = slot_nodes(2, {1, 0});
  NodeGroup slow = cluster.nodes[0];
  slow.count = 1;
  slow.speed = 0.1;
  cluster.nodes.insert(cluster.nodes.begin(), slow);
  cluster.mode.speculation = true;
  return cluster;
}

TEST_P(FaultModel, AFailedTaskRunsAgainAndItsJobFailsWhenItFailsTooOften) {
  Cluster cluster = slot_nodes(1, {1, 1});
  cluster.faults = {.task_failure = 1, .max_attempts = 3};
  Workload workload{{job_of("A", {10}, {5}), job_of("B", {1}, {}, 1000)}};
  workload.jobs[1].after = {"A"};
  const auto result = run(workload, cluster);
  EXPECT_TRUE(result.jobs[0].failed);
  EXPECT_EQ(result.jobs[0].failed_attempts, 3U);
  EXPECT_TRUE(result.jobs[1].rejected) << "what it waits for will never be there";
  ASSERT_EQ(result.trace.size(), 3U);
  EXPECT_EQ(result.trace[2].attempt, 2U);
  EXPECT_EQ(result.trace[2].outcome, AttemptOutcome::failed);
}

TEST_P(FaultModel, ANodeThatGoesTakesItsTasksAndItsMapOutputsWithIt) {
  Cluster cluster = slot_nodes(2, {1, 1});
  cluster.outages = {{"node1", at_ms(15), at_ms(100)}};
  // Both nodes run a map to 10 and one to 20; node1 goes at 15.
  const auto result = run({{job_of("A", {10, 10, 10, 10}, {5})}}, cluster);
  EXPECT_EQ(result.jobs[0].lost_attempts, 1U);
  // node2 is left: its second map to 20, the lost one to 30, the one whose output is gone to 40.
  EXPECT_EQ(result.jobs[0].maps_done, at_ms(40));
  EXPECT_EQ(result.jobs[0].finish, at_ms(45));
  const auto map_only = run({{job_of("A", {10, 10, 10, 10}, {})}}, cluster);
  EXPECT_EQ(map_only.jobs[0].finish, at_ms(30)) << "what a map-only job wrote is safe";
}

TEST_P(FaultModel, ANodeThatComesBackTakesTasksAgain) {
  Cluster cluster = slot_nodes(1, {1, 0});
  cluster.outages = {{"node1", at_ms(5), at_ms(50)}, {"node1", at_ms(40), at_ms(60)}};
  const auto result = run({{job_of("A", {10}, {})}}, cluster);
  EXPECT_EQ(result.jobs[0].finish, at_ms(70)) << "the outages overlap";
}

TEST_P(FaultModel, MachinesJoinAndLeave) {
  Cluster cluster = slot_nodes(1, {1, 0});
  cluster.nodes[0].join = at_ms(100);
  EXPECT_EQ(run({{job_of("A", {10}, {})}}, cluster).jobs[0].finish, at_ms(110));
  cluster.nodes.push_back(cluster.nodes[0]);
  cluster.nodes[1].join = {};
  cluster.nodes[1].leave = at_ms(15);
  const auto result = run({{job_of("A", {10, 10}, {})}}, cluster);
  EXPECT_EQ(result.jobs[0].lost_attempts, 1U) << "the second began at 10 on the machine that went at 15";
  EXPECT_EQ(result.jobs[0].finish, at_ms(110));
}

TEST_P(FaultModel, MachinesAreTakenAwayWhileTheirPriceIsAboveTheBid) {
  Cluster cluster = slot_nodes(1, {1, 0});
  cluster.nodes[0].spot = {{at_ms(0), 0.1}, {at_ms(50), 0.4}, {at_ms(80), 0.2}};
  cluster.nodes[0].bid = 0.3;
  const auto result = run({{job_of("A", {40, 40}, {})}}, cluster);
  EXPECT_EQ(result.jobs[0].lost_attempts, 1U);
  EXPECT_EQ(result.jobs[0].finish, at_ms(120)) << "from 40 to 50, and again from 80 on";
}

TEST_P(FaultModel, AJobWithoutANodeForeverIsNamed) {
  Cluster cluster = slot_nodes(1, {1, 0});
  cluster.outages = {{"node1", at_ms(5), {}}};
  try {
    (void)run({{job_of("A", {10}, {})}}, cluster);
    FAIL() << "nothing was thrown";
  } catch (const Infeasible& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("job 'A' can never be placed"));
  }
}

TEST_P(FaultModel, ASlowTaskIsRunTwiceAndTheFirstToEndCounts) {
  Cluster cluster = one_slow_node_of_three();  // its map would end at 1,000
  cluster.mode.speculation_after = ms(60);
  cluster.mode.speculation_check = ms(50);
  for (const SpeculationRule rule : {SpeculationRule::hadoop, SpeculationRule::late}) {
    cluster.mode.rule = rule;
    const auto result = run({{job_of("A", {100, 100, 140}, {})}}, cluster);
    EXPECT_EQ(result.jobs[0].second_attempts, 1U);
    EXPECT_EQ(result.jobs[0].killed_attempts, 1U);
    EXPECT_EQ(result.jobs[0].finish, at_ms(200)) << "found slow at 100, done elsewhere by 200";
    EXPECT_EQ(result.trace.front().outcome, AttemptOutcome::killed);
    EXPECT_EQ(result.trace.front().end, at_ms(200));
  }
}

// Three slots, of which a tenth is none: one second attempt is allowed all the same. The only running task is
// compared with the two that have ended.
TEST_P(FaultModel, LateDoublesALoneTaskOnASmallCluster) {
  Cluster cluster = one_slow_node_of_three();
  cluster.mode.rule = SpeculationRule::late;
  cluster.mode.speculation_after = ms(300);
  cluster.mode.speculation_check = ms(50);
  const auto result = run({{job_of("A", {100, 100, 100}, {})}}, cluster);
  EXPECT_EQ(result.jobs[0].second_attempts, 1U);
  EXPECT_EQ(result.jobs[0].finish, at_ms(400)) << "found slow at 300, done elsewhere by 400";
}

// A job avoids nodes on which it failed, but at most a quarter of them.
TEST_P(FaultModel, AJobBlacklistsAQuarterOfTheNodesAtMost) {
  Cluster cluster = slot_nodes(4, {1, 0});
  NodeGroup broken = cluster.nodes[0];
  broken.task_failure = 1;
  cluster.nodes.push_back(broken);
  cluster.faults = {.max_attempts = 1'000, .blacklist_after = 1};
  const auto result = run({{job_of("A", std::vector<int>(60, 10), {})}}, cluster);
  std::map<NodeIndex, int> failures;
  for (const TaskRecord& task : result.trace) failures[task.node] += task.outcome == AttemptOutcome::failed;
  int avoided = 0, tried_again = 0;
  for (const auto& [node, count] : failures) {
    avoided += count == 1 ? 1 : 0;
    tried_again += count > 1 ? 1 : 0;
  }
  EXPECT_EQ(avoided, 2) << "a quarter of eight";
  EXPECT_EQ(tried_again, 2);
}

// Each attempt is slow or not by itself: a second one may end where the first would still work.
TEST_P(FaultModel, ASecondAttemptOfAStragglerMayBeFast) {
  Cluster cluster = slot_nodes(40, {1, 0});
  cluster.faults = {.straggler = 0.5, .straggler_slowdown = 50};
  cluster.mode.speculation = true;
  cluster.mode.speculation_after = ms(60);
  cluster.mode.speculation_check = ms(50);
  const auto result = run({{job_of("A", std::vector<int>(40, 100), {})}}, cluster);
  int fast = 0, slow = 0;
  for (const TaskRecord& task : result.trace) {
    if (task.attempt == 0) continue;
    (task.outcome == AttemptOutcome::done && task.end - task.start == ms(100) ? fast : slow) += 1;
  }
  EXPECT_GT(fast, 3);
  EXPECT_GT(slow, 3);
}

TEST_P(FaultModel, StragglersTakeLonger) {
  Cluster cluster = slot_nodes(1, {1, 0});
  cluster.faults = {.straggler = 1, .straggler_slowdown = 3};
  EXPECT_EQ(run({{job_of("A", {10}, {})}}, cluster).jobs[0].finish, at_ms(30));
}

// One second attempt at a time [LATE]. Those of A's reduces start at 11, pay no first shuffle and end at
// once: B's slow one has its turn at the same instant.
TEST_P(FaultModel, ASecondAttemptOfNoLengthLeavesItsPlaceAtTheSameInstant) {
  Cluster cluster = slot_nodes(9, {1, 1});
  cluster.mode.speculation = true;
  cluster.mode.rule = SpeculationRule::late;
  cluster.mode.speculation_after = ms(10);
  cluster.mode.speculation_check = ms(1);
  Job a = job_of("A", {1}, {0, 0, 0, 0}), b = job_of("B", {}, {40, 40, 40, 100}, 1);
  a.first_shuffles = {ms(20), ms(20), ms(20), ms(60)};
  a.shuffles.assign(4, ms(0));
  const auto result = run({{a, b}}, cluster);
  std::vector<TaskRecord> seconds;
  for (const TaskRecord& task : result.trace) {
    if (task.attempt > 0 && task.start == at_ms(11)) seconds.push_back(task);
  }
  ASSERT_GE(seconds.size(), 2U) << testing::PrintToString(result.trace);
  EXPECT_EQ(seconds.front().job, 0U);
  EXPECT_EQ(seconds.front().end, at_ms(11));
  EXPECT_EQ(seconds.back().job, 1U);
}

INSTANTIATE_TEST_SUITE_P(Engines, FaultModel, cluster_engines(), name_of_engine);

}  // namespace
}  // namespace wavewright
