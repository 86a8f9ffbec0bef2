// Preemption of the Fair scheduler: its two clocks, how much it takes, and from whom [Hadoop, Fair Scheduler:
// minSharePreemptionTimeout, fairSharePreemptionTimeout].
//
// The clocks of a queue that lacked nothing begin when a job or its reduces ask for more. What a queue loses
// otherwise is seen within 5 s.
#include "tests/sched/queued_jobs.h"

namespace wavewright {
namespace {

constexpr int look = 5'000, never = 1'000'000, seconds = 1'000;

class FairPreemption : public OnEachEngine {
 protected:
  // That tasks of the job start at `due`.
  static void expect_start(const SimulationResult& result, JobIndex job, int due) {
    EXPECT_EQ(result.jobs[job].start, at_ms(due));
  }
};

Cluster two_queues(SlotPool slots, SlotPool minimum_of_b) {
  Cluster cluster = slot_nodes(1, slots);
  cluster.queues = {{.name = "a"}, {.name = "b", .minimum = minimum_of_b}};
  return cluster;
}

TEST_P(FairPreemption, TakesSlotsBackForAQueueBelowItsMinimum) {
  const Cluster cluster = two_queues({4, 0}, {2, 0});
  const Workload workload{{in_queue("a", job_of("A", equal(4, 100 * seconds), {})),
                           in_queue("b", job_of("B", {1000, 1000}, {}, 1000))}};
  EXPECT_EQ(run(workload, cluster, "fair").jobs[1].finish, at_ms(101 * seconds));
  const auto result = run(workload, cluster, "fair(preempt=10s)");
  expect_start(result, 1, 11 * seconds);  // B came at 1 s
  EXPECT_EQ(result.jobs[0].killed_attempts, 2U);
  EXPECT_EQ(result.jobs[1].killed_attempts, 0U);
  EXPECT_EQ(result.jobs[0].finish, result.jobs[1].finish + ms(100 * seconds)) << "two of its maps began anew";
}

TEST_P(FairPreemption, TakesNoMoreForAMinimumThanIsAskedFor) {
  const auto result =
      run({{in_queue("a", job_of("A", equal(4, never), {})), in_queue("b", job_of("B", {1000}, {}, 1000))}},
          two_queues({4, 0}, {3, 0}), "fair(preempt=10s)");
  expect_start(result, 1, 11 * seconds);
  EXPECT_EQ(result.jobs[0].killed_attempts, 1U);
}

TEST_P(FairPreemption, GivesAQueueBelowHalfOfItsFairShareAllOfIt) {
  // 8 slots, 4 for each queue: B gets 4 after its 20 s, not the half that would have stopped its clock.
  const auto result = run({{in_queue("a", job_of("A", equal(8, never), {})),
                            in_queue("b", job_of("B", equal(8, never), {}, 1000))}},
                          two_queues({8, 0}, {}), "fair(preempt=1h, preempt_share=20s)");
  expect_start(result, 1, 21 * seconds);
  EXPECT_EQ(running(result, Kind::map, 21 * seconds + look), (Counts{4, 4}));
  EXPECT_EQ(result.jobs[0].killed_attempts, 4U);
}

TEST_P(FairPreemption, LeavesAQueueAloneThatHasHalfOfItsFairShare) {
  // A has 6 of 8 slots, B 2 from the start, which is half of 4. That both ask for more from 1 s on changes
  // nothing.
  Workload workload{{in_queue("a", job_of("A", equal(6, never), {})),
                     in_queue("b", job_of("B", equal(2, never), {})),
                     in_queue("a", job_of("C", equal(6, 10), {}, 1000)),
                     in_queue("b", job_of("D", equal(6, 10), {}, 1000))}};
  const auto half = run(workload, two_queues({8, 0}, {}), "fair(preempt=1h, preempt_share=20s)");
  EXPECT_EQ(half.jobs[0].killed_attempts, 0U);
  EXPECT_EQ(half.jobs[3].start, at_ms(never));
  // With one of 8 it is below half: it gets three more.
  workload.jobs[0].maps.push_back(ms(never));
  workload.jobs[1].maps.pop_back();
  for (Duration& map : workload.jobs[3].maps) map = ms(never);
  const auto less = run(workload, two_queues({8, 0}, {}), "fair(preempt=1h, preempt_share=20s)");
  EXPECT_EQ(less.jobs[0].killed_attempts, 3U);
  expect_start(less, 3, 21 * seconds);
}

TEST_P(FairPreemption, HasAClockForMinimaAndOneForShares) {
  // B's minimum is one slot, due at 11 s; its share four, due at 31 s.
  const auto result = run({{in_queue("a", job_of("A", equal(8, never), {})),
                            in_queue("b", job_of("B", equal(8, never), {}, 1000))}},
                          two_queues({8, 0}, {1, 0}), "fair(preempt=10s, preempt_share=30s)");
  EXPECT_EQ(running(result, Kind::map, 10'999), (Counts{8, 0}));
  EXPECT_EQ(running(result, Kind::map, 11 * seconds + look), (Counts{7, 1}));
  EXPECT_EQ(running(result, Kind::map, 30'999), (Counts{7, 1}));
  EXPECT_EQ(running(result, Kind::map, 31 * seconds + look), (Counts{4, 4}));
}

TEST_P(FairPreemption, GivesWholeSlots) {
  // A third of ten slots is three whole ones: B and C get six of A's ten.
  Cluster cluster = slot_nodes(1, {10, 0});
  cluster.queues = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
  Workload workload;
  for (const char* queue : {"a", "b", "c"})
    workload.jobs.push_back(in_queue(queue, job_of(queue, equal(10, never), {}, *queue == 'a' ? 0 : 1000)));
  const auto result = run(workload, cluster, "fair(preempt=1h, preempt_share=20s)");
  EXPECT_EQ(result.jobs[0].killed_attempts, 6U);
  EXPECT_EQ(running(result, Kind::map, 21 * seconds + look), (Counts{4, 3, 3}));
}

TEST_P(FairPreemption, SharesByWeight) {
  // Weights 1 : 3 of 8 slots: B is due six.
  Cluster cluster = two_queues({8, 0}, {});
  cluster.queues[1].weight = 3;
  const auto result = run({{in_queue("a", job_of("A", equal(8, never), {})),
                            in_queue("b", job_of("B", equal(8, never), {}, 1000))}},
                          cluster, "fair(preempt=1h, preempt_share=20s)");
  EXPECT_EQ(running(result, Kind::map, 21 * seconds + look), (Counts{2, 6}));
}

TEST_P(FairPreemption, TakesFromTheQueueFurthestAboveItsShare) {
  // A has 6 of 10 slots and C 4. B's minimum of two comes from A alone: 10 / 3 is 2.67 below 6 and 0.67
  // below 4.
  Cluster cluster = slot_nodes(1, {10, 0});
  cluster.queues = {{.name = "c"}, {.name = "a"}, {.name = "b", .minimum = {2, 0}}};
  const auto result = run(
      {{in_queue("a", job_of("A", equal(6, never), {})), in_queue("c", job_of("C", equal(4, never), {})),
        in_queue("a", job_of("D", equal(9, 10), {}, 500)), in_queue("c", job_of("E", equal(9, 10), {}, 500)),
        in_queue("b", job_of("B", equal(9, never), {}, 1000))}},
      cluster, "fair(preempt=10s, preempt_share=1h)");
  EXPECT_EQ(result.jobs[0].killed_attempts, 2U);
  EXPECT_EQ(result.jobs[1].killed_attempts, 0U);
}

TEST_P(FairPreemption, TakesFromTheJobThatHoldsMost) {
  // Of queue a's 8 slots A holds 5 and C 3: both that B lacks come from A, which then holds 3.
  Workload workload{{in_queue("a", job_of("C", equal(3, never), {})),
                     in_queue("a", job_of("A", equal(5, never), {})),
                     in_queue("b", job_of("B", equal(2, 1000), {}, 1000))}};
  const auto result = run(workload, two_queues({8, 0}, {2, 0}), "fair(preempt=10s, preempt_share=1h)");
  EXPECT_EQ(result.jobs[0].killed_attempts, 0U);
  EXPECT_EQ(result.jobs[1].killed_attempts, 2U);
}

TEST_P(FairPreemption, KillsTheAttemptsThatStartedLast) {
  // A's maps of 300 s start at 0 and, on the slot that Z leaves, at 500 ms.
  const auto result =
      run({{in_queue("a", job_of("A", equal(4, 300 * seconds), {})), in_queue("b", job_of("Z", {500}, {})),
            in_queue("b", job_of("B", {1000}, {}, 1000))}},
          two_queues({4, 0}, {1, 0}), "fair(preempt=10s, preempt_share=1h)");
  Count killed = 0;
  for (const TaskRecord& task : result.trace) {
    if (task.outcome != AttemptOutcome::killed) continue;
    ++killed;
    EXPECT_EQ(task.start, at_ms(500));
  }
  EXPECT_EQ(killed, 1);
}

TEST_P(FairPreemption, LeavesEachQueueItsMinimum) {
  // Minima of 3 and 2 for 4 slots: A keeps three.
  Cluster cluster = two_queues({4, 0}, {2, 0});
  cluster.queues[0].minimum = {3, 0};
  const auto result = run({{in_queue("a", job_of("A", equal(4, never), {})),
                            in_queue("b", job_of("B", equal(2, never), {}, 1000))}},
                          cluster, "fair(preempt=10s)");
  EXPECT_EQ(running(result, Kind::map, 11 * seconds + look), (Counts{3, 1}));
  EXPECT_EQ(result.jobs[0].killed_attempts, 1U);
}

TEST_P(FairPreemption, CountsReducesFromWhenTheyAreReady) {
  // B's reduces are ready when its map ends at 31 s: their clock of 10 s begins there.
  const auto result = run({{in_queue("a", job_of("A", {}, equal(4, never))),
                            in_queue("b", job_of("B", {30 * seconds}, equal(2, 1000), 1000))}},
                          two_queues({1, 4}, {0, 2}), "fair(preempt=10s)");
  EXPECT_EQ(result.jobs[1].maps_done, at_ms(31 * seconds));
  EXPECT_EQ(result.jobs[0].killed_attempts, 2U);
  for (const TaskRecord& reduce : attempts_of(result, 1, Kind::reduce))
    EXPECT_EQ(reduce.start, at_ms(31 * seconds + 10 * seconds));
}

TEST_P(FairPreemption, AQueueThatHadNothingStartsItsClocksWithItsNextJob) {
  // B's first job is over at 1 s, when the cluster becomes idle. The second finds all slots taken at 101 s.
  const Workload workload{{in_queue("b", job_of("first", {1000}, {})),
                           in_queue("a", job_of("A", equal(4, never), {}, 100 * seconds)),
                           in_queue("b", job_of("B", {1000}, {}, 101 * seconds))}};
  expect_start(run(workload, two_queues({4, 0}, {1, 0}), "fair(preempt=10s, preempt_share=1h)"), 2,
               111 * seconds);
  expect_start(run(workload, two_queues({4, 0}, {}), "fair(preempt=1h, preempt_share=20s)"), 2,
               121 * seconds);
}

TEST_P(FairPreemption, SharesTheSlotsOfNodesOfAllClasses) {
  // Four slots on each of two nodes of different classes: B is due four, not two.
  Cluster cluster = two_queues({4, 0}, {});
  cluster.nodes.push_back(cluster.nodes[0]);
  cluster.nodes[1].node_class = "other";
  const auto result = run({{in_queue("a", job_of("A", equal(8, never), {})),
                            in_queue("b", job_of("B", equal(8, never), {}, 1000))}},
                          cluster, "fair(preempt=1h, preempt_share=20s)");
  EXPECT_EQ(running(result, Kind::map, 21 * seconds + look), (Counts{4, 4}));
}

TEST_P(FairPreemption, GoesOnAfterTheClusterWasIdle) {
  const auto result = run({{in_queue("a", job_of("first", {1000}, {})),
                            in_queue("a", job_of("A", equal(4, never), {}, 100 * seconds)),
                            in_queue("b", job_of("B", {1000}, {}, 101 * seconds))}},
                          two_queues({4, 0}, {1, 0}), "fair(preempt=10s, preempt_share=1h)");
  expect_start(result, 2, 111 * seconds);
}

TEST_P(FairPreemption, CountsJobsOfQueuesBelowForTheQueueUnderTheRoot) {
  Cluster cluster = slot_nodes(1, {4, 0});
  cluster.queues = {{.name = "a"}, {.name = "b", .minimum = {2, 0}}, {.name = "b.x"}};
  const auto result = run({{in_queue("a", job_of("A", equal(4, never), {})),
                            in_queue("b.x", job_of("B", equal(2, 1000), {}, 1000))}},
                          cluster, "fair(preempt=10s, preempt_share=1h)");
  expect_start(result, 1, 11 * seconds);
  EXPECT_EQ(result.jobs[0].killed_attempts, 2U);
}

TEST_P(FairPreemption, DoesNotPreemptForMinimaIfOnlySharesHaveATimeout) {
  const Workload workload{{in_queue("a", job_of("A", equal(4, 100 * seconds), {})),
                           in_queue("b", job_of("B", {1000, 1000}, {}, 1000))}};
  EXPECT_EQ(run(workload, two_queues({4, 0}, {2, 0}), "fair(preempt_share=1h)").jobs[1].finish,
            at_ms(101 * seconds));
}

// A node of 8 GiB for containers of 1 GiB. A has its master and seven maps when B asks for its master at 1 s.
TEST_P(FairPreemption, OfContainersCountsMemoryAndKillsLater) {
  Cluster cluster = container_nodes(1, 8192);
  cluster.queues = {{.name = "a"}, {.name = "b", .minimum = {2048, 0}}};
  const Workload workload{{in_queue("a", job_of("A", equal(7, 100 * seconds), {})),
                           in_queue("b", job_of("B", {1000}, {}, 1000))}};
  const auto master_of_b = [&](const std::string& policy) {
    const auto result = run(workload, cluster, policy);
    return std::pair(attempts_of(result, 1, Kind::master).front().start, result.jobs[0].killed_attempts);
  };
  EXPECT_EQ(master_of_b("fair").first, at_ms(100'002)) << "when a map of A is over";
  EXPECT_EQ(master_of_b("fair(preempt=10s)").first, at_ms(26 * seconds)) << "10 s, and 15 s until the kill";
  EXPECT_EQ(master_of_b("fair(preempt=10s, kill_after=0s)").first, at_ms(11 * seconds));
  EXPECT_EQ(master_of_b("fair(preempt_share=20s)").first, at_ms(36 * seconds));
  // The map of B waits for another 10 s and 15 s.
  EXPECT_EQ(master_of_b("fair(preempt=10s)").second, 2U);
}

// B is due half of its share, 4 of 16 GiB, not the whole; of A reduces go before maps and the master stays.
TEST_P(FairPreemption, OfContainersGivesHalfOfTheShareAndTakesReducesFirst) {
  // Longer than the minute that counts. The reference engine visits each millisecond until the jobs end.
  constexpr int long_task = 100 * seconds;
  Cluster cluster = container_nodes(1, 16 * 1024);
  cluster.nodes[0].vcores = 32;  // its masters' limit counts free cores
  cluster.queues = {{.name = "a"}, {.name = "b"}};
  cluster.mode.slowstart = 0;
  cluster.masters.ramp_up = 1;
  const Workload workload{{in_queue("a", job_of("A", equal(12, long_task), equal(3, long_task))),
                           in_queue("b", job_of("B", equal(16, long_task), {}, 1000))}};
  const auto result = run(workload, cluster, "fair(preempt_share=20s, kill_after=0s)");
  EXPECT_EQ(attempts_of(result, 1, Kind::master).front().start, at_ms(21 * seconds));
  const auto killed = [&](Kind kind) {
    Count count = 0;
    for (const TaskRecord& task : attempts_of(result, 0, kind))
      count += task.outcome == AttemptOutcome::killed && task.end < at_ms(60 * seconds) ? 1 : 0;
    return count;
  };
  EXPECT_EQ(killed(Kind::reduce), 3);
  EXPECT_EQ(killed(Kind::map), 1) << "4 GiB in all";
  EXPECT_EQ(killed(Kind::master), 0);
}

INSTANTIATE_TEST_SUITE_P(Engines, FairPreemption, cluster_engines(), name_of_engine);

}  // namespace
}  // namespace wavewright
