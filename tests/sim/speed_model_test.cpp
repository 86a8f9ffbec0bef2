// Speeds of nodes and jobs, tasks that share a slot, and processors, rule by rule.
#include <gmock/gmock.h>

#include "tests/sim/small_clusters.h"
#include "tests/sim/small_jobs.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

class SpeedModel : public OnEachEngine {};

TEST_P(SpeedModel, SpeedDividesWorkButNotTheShuffle) {
  Cluster cluster = slot_nodes(1, {1, 1});
  cluster.nodes[0].speed = 2;
  cluster.nodes[0].node_class = "fast";
  Workload workload{{job_of("A", {10}, {7})}};
  workload.jobs[0].first_shuffles = {ms(3)};
  EXPECT_EQ(run(workload, cluster).jobs[0].finish, at_ms(5 + 3 + 4)) << "3.5 ms are rounded up";
  workload.jobs[0].classes["fast"].speed = 5;
  EXPECT_EQ(run(workload, cluster).jobs[0].finish, at_ms(2 + 3 + 1))
      << "its own speed replaces the machine's";
  workload.jobs[0].classes["fast"] = {.speed = {}, .parallelism = 1, .energy_factor = 2};
  EXPECT_EQ(run(workload, cluster).jobs[0].finish, at_ms(5 + 3 + 4)) << "it has none of its own there";
}

// One slot on a data-parallel node: two of A's maps at a time, and it is free when both have ended; B, which
// has no such speed, has it to itself.
TEST_P(SpeedModel, TasksOfADataParallelJobShareASlot) {
  Cluster cluster = slot_nodes(1, {1, 0});
  cluster.nodes[0].node_class = "gpu";
  Job job = job_of("A", {10, 4, 6, 8, 2}, {});
  job.classes["gpu"] = {2, 2, 1};
  const auto result = run({{job, job_of("B", {5, 5}, {}, 1)}}, cluster);
  const std::int64_t expected[][2] = {{0, 5}, {0, 2}, {5, 8}, {5, 9}, {9, 10}, {10, 15}, {15, 20}};
  ASSERT_EQ(result.trace.size(), 7U);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(result.trace[i].start, at_ms(expected[i][0])) << i;
    EXPECT_EQ(result.trace[i].end, at_ms(expected[i][1])) << i;
    EXPECT_EQ(result.trace[i].slot, 0U);
  }
  EXPECT_EQ(result.map_busy, ms(20)) << "the slot was in use all the time";
  EXPECT_DOUBLE_EQ(result.map_utilisation(cluster.total_slots()), 1);
}

// A job that shares holds one slot, not two: of two slots under Fair each has one.
TEST_P(SpeedModel, ASharedSlotCountsOnceForItsJob) {
  Cluster cluster = slot_nodes(1, {2, 0});
  cluster.nodes[0].node_class = "gpu";
  Job job = job_of("A", {10, 10, 10, 10}, {});
  job.classes["gpu"] = {1, 2, 1};
  const auto result = run({{job, job_of("B", {10}, {})}}, cluster, "fair");
  EXPECT_EQ(result.jobs[1].finish, at_ms(10));
  EXPECT_EQ(result.jobs[0].finish, at_ms(20));
}

// Two maps on one processor take turns: 2 x 10 ms; a third of another job, that only waits, goes on beside.
TEST_P(SpeedModel, WorkThatKeepsProcessorsBusySharesThem) {
  Cluster cluster = slot_nodes(1, {3, 0});
  cluster.launches = {{}, {}, 1, true};
  Job busy = job_of("A", {10, 10}, {});
  busy.processor_bound = true;
  const auto result = run({{busy, job_of("B", {10}, {})}}, cluster);
  EXPECT_EQ(result.trace[0].end, at_ms(20));
  EXPECT_EQ(result.trace[1].end, at_ms(20));
  EXPECT_EQ(result.trace[2].end, at_ms(10));
  EXPECT_EQ(result.map_busy, ms(50));
}

TEST_P(SpeedModel, LaunchesAndWorkSlowEachOther) {
  Cluster cluster = slot_nodes(1, {2, 0});
  cluster.launches = {ms(3), {}, 1, true};
  Job busy = job_of("A", {10}, {});
  busy.processor_bound = true;
  const auto result = run({{busy, job_of("B", {5}, {}, 7)}}, cluster);
  EXPECT_EQ(result.trace[0].end, at_ms(16)) << "3 of launch, 4 alone, 6 at half speed, 3 alone";
  EXPECT_EQ(result.trace[1].end, at_ms(7 + 6 + 5));
}

// Its client works 5 ms. At half speed the launch takes 6 ms.
TEST_P(SpeedModel, AClientSharesTheProcessorsOfItsMachine) {
  Cluster cluster = slot_nodes(1, {1, 0});
  cluster.launches = {ms(3), {}, 1, false, ms(5)};
  EXPECT_EQ(run({{job_of("A", {10}, {})}}, cluster).makespan, ms(16));
  cluster.launches.work = ms(9);
  EXPECT_EQ(run({{job_of("A", {10}, {})}}, cluster).makespan, ms(10 + 4 + 10)) << "4 without the client";
  cluster.launches.of_node = true;
  EXPECT_EQ(run({{job_of("A", {10}, {})}}, cluster).makespan, ms(19)) << "it is not on the node";
}

// A reduce waits for the network without a processor: 6 ms of shuffle, then 10 of work.
TEST_P(SpeedModel, AShuffleKeepsNoProcessorBusy) {
  Cluster cluster = slot_nodes(1, {2, 1});
  cluster.launches = {{}, {}, 1, true};
  Job busy = job_of("A", {}, {10});
  busy.first_shuffles = busy.shuffles = {ms(6)};
  busy.processor_bound = true;
  Job other = job_of("B", {6}, {});
  other.processor_bound = true;
  const auto result = run({{busy, other}}, cluster);
  EXPECT_EQ(result.jobs[1].finish, at_ms(6));
  EXPECT_EQ(result.jobs[0].finish, at_ms(16));
}

TEST_P(SpeedModel, EachNodeSharesItsOwnProcessors) {
  Cluster cluster = slot_nodes(2, {1, 0});
  Job busy = job_of("A", {10, 10}, {});
  busy.processor_bound = true;
  for (const bool of_node : {true, false}) {
    cluster.launches = {{}, {}, 1, of_node};
    EXPECT_EQ(run({{busy}}, cluster).makespan, ms(of_node ? 10 : 20));
  }
}

TEST(SimulateCluster, RefusesMorePlacesForTasksThanThereIsMemoryFor) {
  Cluster cluster = slot_nodes(20'000, {8, 8});
  cluster.nodes[0].node_class = "gpu";
  Job job = job_of("A", std::vector<int>(1'000, 5), {});
  job.classes["gpu"] = {1, 1'000'000, 1};
  Policy policy = make_policy("fifo", {});
  try {
    (void)simulate_on({{job}}, policy, {cluster, 1, false});
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("up to 1000 tasks share"));
  }
}

TEST(SimulateOn, FollowsAJobsOwnSpeedOnNodesThatAreAFlatPoolToOthers) {
  Cluster cluster = slot_nodes(1, {1, 0});
  cluster.nodes[0].node_class = "gpu";
  Job job = job_of("A", {10}, {});
  job.classes["gpu"] = {2, 1, 1};
  Policy policy = make_policy("fifo", {});
  EXPECT_EQ(simulate_on({{job}}, policy, {cluster, 1, false}).jobs[0].finish, at_ms(5));
}

INSTANTIATE_TEST_SUITE_P(Engines, SpeedModel, cluster_engines(), name_of_engine);

}  // namespace
}  // namespace wavewright
