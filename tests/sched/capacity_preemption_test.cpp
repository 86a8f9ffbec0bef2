// Preemption of the Capacity scheduler, by arithmetic [Hadoop, Capacity Scheduler: preemption of containers].
//
// One node of 20 GiB, containers of 1 GiB, rounds every 3 s from A's admission at 0 on.
#include "tests/sched/queued_jobs.h"
#include "wavewright/core/error.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

constexpr int seconds = 1'000, never = 200'000;

class CapacityPreemptionTest : public OnEachEngine {};

Cluster queues_of(const std::vector<std::pair<std::string, double>>& capacities) {
  Cluster cluster = container_nodes(1, 20 * 1024);
  cluster.nodes[0].vcores = 100;
  cluster.limits.min_memory = mib(1024);
  for (const auto& [name, capacity] : capacities)
    cluster.queues.push_back({.name = name, .capacity = capacity, .user_limit_factor = 100});
  return cluster;
}

// A fills the node with its master and 19 maps; B comes at 1 s.
Workload full_and_waiting(std::size_t maps_of_b) {
  return {{in_queue("a", job_of("A", equal(19, never), {})),
           in_queue("b", job_of("B", equal(maps_of_b, 10 * seconds), {}, 1 * seconds))}};
}

TEST_P(CapacityPreemptionTest, KillsWhatWasChosenForFifteenSeconds) {
  const Cluster halves = queues_of({{"a", 50}, {"b", 50}});
  const auto result = run(full_and_waiting(1), halves, "capacity(preempt=3s)");
  EXPECT_EQ(attempts_of(result, 1, Kind::master).at(0).start, at_ms(18 * seconds)) << "chosen at 3 s";
  EXPECT_EQ(result.jobs[0].killed_attempts, 2U) << "one for the master, one for the map";
  EXPECT_EQ(result.jobs[1].killed_attempts, 0U);
}

// 9 GiB above its ideal amount: a tenth of the cluster a round, a fifth of that is one container.
TEST_P(CapacityPreemptionTest, TakesATenthOfTheClusterAndAFifthOfThatARound) {
  const Cluster halves = queues_of({{"a", 50}, {"b", 50}});
  const auto maps = [&](const char* parameters) {
    return running(run(full_and_waiting(9), halves, "capacity(preempt=3s" + std::string(parameters) + ")"),
                   Kind::map, 37 * seconds);
  };
  EXPECT_EQ(maps(""), (Counts{17, 1}));
  EXPECT_EQ(maps(", natural_termination_factor=1"), (Counts{16, 2}));
  EXPECT_EQ(maps(", natural_termination_factor=1, total_preemption_per_round=1"), (Counts{9, 9}));
}

TEST_P(CapacityPreemptionTest, LeavesAQueueAloneThatIsATenthAboveItsGuarantee) {
  const Cluster three = queues_of({{"a", 50}, {"b", 5}, {"c", 45}});
  const Workload workload{{in_queue("a", job_of("A", equal(10, never), {})),
                           in_queue("c", job_of("C", equal(8, never), {})),
                           in_queue("b", job_of("B", {10 * seconds}, {}, 1 * seconds))}};
  EXPECT_EQ(run(workload, three, "capacity(preempt=3s)").jobs[0].killed_attempts, 0U);
  EXPECT_GT(run(workload, three, "capacity(preempt=3s, max_ignored_over_capacity=0)").jobs[0].killed_attempts,
            0U);
}

// A queue alone with itself: 4 GiB are its guarantee and its maximum, its master and maps take 1.5 GiB each.
TEST_P(CapacityPreemptionTest, NeverKillsInAQueueAtItsMaximumWhichItDoesNotExceed) {
  Cluster cluster = queues_of({{"a", 20}});
  cluster.queues[0].maximum = 20;
  Job job = job_of("J", equal(2, 20 * seconds), {});
  job.memory = {mib(1536), mib(1536), std::nullopt};
  const Workload workload{{in_queue("a", std::move(job))}};
  for (const char* policy : {"capacity", "capacity(preempt=3s)"}) {
    const auto result = run(workload, cluster, policy);
    EXPECT_EQ(running(result, Kind::map, 10 * seconds), Counts{1}) << policy;
    EXPECT_EQ(result.jobs[0].killed_attempts, 0U) << policy;
  }
}

TEST_P(CapacityPreemptionTest, KillsNothingOnceNothingIsLacked) {
  const Cluster halves = queues_of({{"a", 50}, {"b", 50}});
  Workload workload = full_and_waiting(1);
  workload.jobs[0].maps.back() = workload.jobs[0].maps[17] = ms(10 * seconds);  // room for B's master and map
  const auto result = run(workload, halves, "capacity(preempt=3s)");
  EXPECT_LT(attempts_of(result, 1, Kind::master).at(0).start, at_ms(11 * seconds));
  EXPECT_EQ(result.jobs[0].killed_attempts, 0U);
}

// Without this, two queues of a small cluster would kill each other's maps for ever.
TEST_P(CapacityPreemptionTest, KillsNoContainerThatIsMoreThanARoundMayTake) {
  Cluster small = queues_of({{"a", 50}, {"b", 50}});
  small.nodes[0].memory = mib(9 * 1024);
  const Workload workload{{in_queue("a", job_of("A", equal(8, never), {})),
                           in_queue("b", job_of("B", {10 * seconds}, {}, 1 * seconds))}};
  EXPECT_EQ(run(workload, small, "capacity(preempt=3s)").jobs[0].killed_attempts, 0U);
  EXPECT_GT(
      run(workload, small, "capacity(preempt=3s, total_preemption_per_round=12%)").jobs[0].killed_attempts,
      0U);
}

TEST_P(CapacityPreemptionTest, IsOffUnlessAskedFor) {
  const Cluster halves = queues_of({{"a", 50}, {"b", 50}});
  EXPECT_EQ(run(full_and_waiting(1), halves, "capacity").jobs[0].killed_attempts, 0U);
}

// Queue a.x has all of a's half; the ideal amounts go down the tree.
TEST_P(CapacityPreemptionTest, SharesWithinAParent) {
  Cluster nested = queues_of({{"a", 50}, {"a.x", 50}, {"a.y", 50}, {"b", 50}});
  const Workload workload{{in_queue("a.x", job_of("A", equal(9, never), {})),
                           in_queue("b", job_of("B", equal(9, never), {})),
                           in_queue("a.y", job_of("C", equal(4, 10 * seconds), {}, 1 * seconds))}};
  const auto result = run(workload, nested,
                          "capacity(preempt=3s, natural_termination_factor=1, total_preemption_per_round=1)");
  EXPECT_EQ(running(result, Kind::map, 37 * seconds), (Counts{4, 9, 4}));
  EXPECT_EQ(result.jobs[1].killed_attempts, 0U);
}

INSTANTIATE_TEST_SUITE_P(Engines, CapacityPreemptionTest, cluster_engines(), name_of_engine);

TEST(CapacityPreemptionParameters, AreRefusedWhereTheyMeanNothing) {
  Cluster containers = container_nodes(1, 20 * 1024);
  EXPECT_THROW((void)make_policy_on("capacity(natural_termination_factor=1)", containers), UsageError);
  EXPECT_THROW((void)make_policy_on("capacity(preempt=0s)", containers), UsageError);
  EXPECT_THROW((void)make_policy_on("capacity(preempt=3s)", slot_nodes(1, {2, 2})), UsageError);
  EXPECT_NO_THROW((void)make_policy_on("capacity(preempt=3s, max_wait_before_kill=0s)", containers));
}

}  // namespace
}  // namespace wavewright
