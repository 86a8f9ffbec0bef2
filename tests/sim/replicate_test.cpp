// Replications: the runs of their seeds, summed up.
#include "wavewright/sim/experiment/replicate.h"

#include "tests/sim/small_jobs.h"
#include "wavewright/core/random.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {
namespace {

Cluster two_and_one() {
  return flat_cluster({2, 1});
}

// Two jobs of drawn lengths; the second must be done by 150.
Workload drawn(std::uint64_t seed) {
  Random random(seed, "replicate test");
  Workload workload{{job_of("A", {}, {}), job_of("B", {}, {})}};
  for (Job& job : workload.jobs) {
    for (int i = 0; i < 5; ++i) job.maps.push_back(ms(random.integer(10, 60)));
    job.reduces.push_back(ms(random.integer(1, 20)));
  }
  workload.jobs[1].deadline = at_ms(150);
  return workload;
}

TEST(Replicate, SumsUpTheRunsOfItsSeeds) {
  constexpr Count count = 40;
  const Replications got = replicate(drawn, two_and_one(), {"fifo", 7, count, 1}, [](Count) {}, Stop());
  std::vector<double> makespans, completions;
  Count late = 0;
  for (std::uint64_t seed = 7; seed < 7 + count; ++seed) {
    Policy policy = make_policy("fifo");
    const Workload workload = drawn(seed);
    const SimulationResult result = simulate_on(workload, policy, {two_and_one(), seed, false});
    makespans.push_back(static_cast<double>(to_ms(result.makespan)));
    completions.push_back(static_cast<double>(to_ms(result.jobs[1].finish)));
    late += result.jobs[1].finish > at_ms(150) ? 1 : 0;
  }
  EXPECT_EQ(got.count, count);
  EXPECT_DOUBLE_EQ(got.makespan_ms.mean, mean_interval(makespans).mean);
  EXPECT_DOUBLE_EQ(got.makespan_ms.half, mean_interval(makespans).half);
  EXPECT_DOUBLE_EQ(got.jobs.at(1).completion_ms.mean, mean_interval(completions).mean);
  EXPECT_EQ(got.jobs.at(1).late, late);
  EXPECT_GT(late, 0);
  EXPECT_LT(late, count);
  std::sort(makespans.begin(), makespans.end());
  EXPECT_EQ(got.p5_makespan, ms(static_cast<std::int64_t>(makespans[1]))) << "the second of forty";
  EXPECT_EQ(got.p50_makespan, ms(static_cast<std::int64_t>(makespans[19])));
  EXPECT_EQ(got.p95_makespan, ms(static_cast<std::int64_t>(makespans[37])));
}

TEST(Replicate, GivesTheSameOnAnyNumberOfThreads) {
  const auto run = [](unsigned threads) {
    return replicate(drawn, two_and_one(), {"fair", 1, 50, threads}, [](Count) {}, Stop());
  };
  const Replications one = run(1), four = run(4);
  EXPECT_EQ(one.makespan_ms.mean, four.makespan_ms.mean);
  EXPECT_EQ(one.mean_completion_ms.value().half, four.mean_completion_ms.value().half);
  EXPECT_EQ(one.jobs.at(0).completion_ms.half, four.jobs.at(0).completion_ms.half);
}

TEST(Replicate, WhatIsNotLeftOpenDoesNotVary) {
  const auto fixed = [](std::uint64_t) { return Workload{{job_of("A", {10, 10, 10}, {5})}}; };
  const Replications got = replicate(fixed, two_and_one(), {"fifo", 1, 10, 2}, [](Count) {}, Stop());
  EXPECT_EQ(got.makespan_ms.half, 0);
  EXPECT_EQ(got.p5_makespan, got.p95_makespan);
  EXPECT_EQ(got.jobs.at(0).done, 10);
}

TEST(Replicate, CountsJobsThatFail) {
  const auto failing = [](std::uint64_t) {
    Workload workload{{job_of("A", {10}, {}), job_of("B", {10}, {})}};
    workload.jobs[0].task_failure = 0.5;
    return workload;
  };
  Cluster cluster = two_and_one();
  cluster.faults.max_attempts = 1;
  const Replications got = replicate(failing, cluster, {"fifo", 1, 200, 1}, [](Count) {}, Stop());
  EXPECT_NEAR(static_cast<double>(got.jobs.at(0).done), 100, 30) << "four deviations";
  EXPECT_EQ(got.jobs.at(1).done, 200);
  EXPECT_EQ(got.counts.done, got.jobs.at(0).done + 200);
  EXPECT_EQ(got.counts.failed, 200 - got.jobs.at(0).done);
  EXPECT_EQ(got.counts.failed_attempts, got.counts.failed);
  ASSERT_TRUE(got.mean_completion_ms);
  EXPECT_EQ(got.mean_completion_ms->mean, 10) << "two jobs of 10 ms on two slots: B alone or both";
  EXPECT_EQ(got.mean_completion_ms->half, 0);
}

// A fails, B behind it is rejected, and C has no deadline.
TEST(Replicate, AJobThatIsNeverDoneIsLate) {
  const auto failing = [](std::uint64_t) {
    Workload workload{{job_of("A", {10}, {}), job_after("B", {10}, {}, {"A"}), job_of("C", {10}, {})}};
    for (Job& job : workload.jobs) job.task_failure = 1;
    workload.jobs[0].deadline = workload.jobs[1].deadline = at_ms(1000);
    return workload;
  };
  const Replications got = replicate(failing, two_and_one(), {"fifo", 1, 7, 1}, [](Count) {}, Stop());
  for (const JobSpread& job : got.jobs) EXPECT_EQ(job.done, 0);
  EXPECT_EQ(got.jobs.at(0).late, 7);
  EXPECT_EQ(got.jobs.at(1).late, 7);
  EXPECT_EQ(got.jobs.at(2).late, 0);
}

TEST(Replicate, StopsWhenItIsTold) {
  std::atomic<bool> request = false;
  const Replications got = replicate(
      drawn, two_and_one(), {"fifo", 1, 1000, 1}, [&](Count done) { request = done >= 3; },
      Stop(std::nullopt, &request));
  EXPECT_EQ(got.count, 3);
}

}  // namespace
}  // namespace wavewright
