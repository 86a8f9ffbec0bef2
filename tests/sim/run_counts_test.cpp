// Jobs and attempts by how they ended.
#include "wavewright/sim/metrics/run_counts.h"

#include <gtest/gtest.h>

#include "tests/sim/small_clusters.h"
#include "tests/sim/small_jobs.h"

namespace wavewright {
namespace {

TEST(RunCounts, AreThoseOfTheOutcomes) {
  SimulationResult result;
  result.jobs.resize(6);
  result.jobs[1].failed = true;
  result.jobs[1].failed_attempts = 4;
  result.jobs[2].rejected = true;
  result.jobs[3].unfinished = true;
  result.jobs[3].lost_attempts = 2;
  result.jobs[3].killed_attempts = 5;
  result.jobs[4].second_attempts = 3;
  const RunCounts counts = counts_of(result);
  EXPECT_EQ(counts.done, 3);
  EXPECT_EQ(counts.failed, 1);
  EXPECT_EQ(counts.rejected, 1);
  EXPECT_EQ(counts.unfinished, 1);
  EXPECT_EQ(counts.failed_attempts, 4);
  EXPECT_EQ(counts.lost_attempts, 2);
  EXPECT_EQ(counts.killed_attempts, 5);
  EXPECT_EQ(counts.second_attempts, 3);
}

TEST(RunCounts, TheMeanIsOfTheJobsDone) {
  SimulationResult result;
  result.jobs.resize(4);
  EXPECT_EQ(mean_completion_ms({}), std::nullopt);
  for (JobOutcome& job : result.jobs) job.submit = at_ms(1);
  result.jobs[0].finish = at_ms(11);
  result.jobs[1].finish = at_ms(26);
  result.jobs[2].finish = at_ms(1000);
  result.jobs[2].failed = true;
  result.jobs[3].rejected = true;
  result.sum_up();
  EXPECT_EQ(result.total_completion, ms(10 + 25));
  EXPECT_EQ(mean_completion_ms(result), (10 + 25) / 2.0);
  EXPECT_EQ(result.makespan, ms(1000)) << "the failed job ends the run";
}

// Every attempt fails: A's fourth ends it, and B behind it is rejected.
TEST(RunCounts, OfARunInWhichAllFails) {
  Cluster cluster = slot_nodes(1, {1, 1});
  cluster.faults.task_failure = 1;
  Policy policy = make_policy("fifo");
  const Workload workload{{job_of("A", {10}, {}), job_after("B", {10}, {}, {"A"})}};
  const RunCounts counts = counts_of(simulate_cluster(workload, policy, {.cluster = cluster}));
  EXPECT_EQ(counts.done, 0);
  EXPECT_EQ(counts.failed, 1);
  EXPECT_EQ(counts.rejected, 1);
  EXPECT_EQ(counts.failed_attempts, 4);
}

}  // namespace
}  // namespace wavewright
