// The Capacity scheduler of containers: user limits in memory, and application masters that wait [Hadoop,
// Capacity Scheduler: maximum-am-resource-percent].
#include "tests/sched/queued_jobs.h"

namespace wavewright {
namespace {

class CapacityContainers : public OnEachEngine {
 protected:
  static Time master_start(const SimulationResult& result, JobIndex job) {
    return attempts_of(result, job, Kind::master).at(0).start;
  }
};

// 12 GiB for two users, 6 for each in containers of 2: who holds 6 is not above the limit and gets one more.
TEST_P(CapacityContainers, AUserMayPassItsLimitByOneContainer) {
  Cluster cluster = container_nodes(1, 12288);
  cluster.limits.min_memory = mib(2048);
  cluster.queues = {{.name = "a", .capacity = 100, .minimum_user_limit = 50}};
  const auto result = run({{of_user("ann", in_queue("a", job_of("A", equal(6, 900), {}))),
                            of_user("bob", in_queue("a", job_of("B", equal(6, 900), {})))}},
                          cluster, "capacity");
  EXPECT_EQ(running(result, Kind::map, 500), (Counts{3, 1})) << "ann has 8 GiB with her master";
}

// A fifth of 12 GiB has room for A's master of 2 GiB and for the small one of C, not for B's.
TEST_P(CapacityContainers, JobsWaitWhereMastersHaveTheirPartOfTheQueue) {
  Cluster cluster = container_nodes(1, 12288);
  cluster.queues = {{.name = "a", .capacity = 100, .maximum_masters = 20}};
  Workload workload{{in_queue("a", job_of("A", {100}, {})), in_queue("a", job_of("B", {10}, {}, 1)),
                     in_queue("a", job_of("C", {10}, {}, 2))}};
  workload.jobs[0].memory.master = mib(2048);
  workload.jobs[1].memory.master = mib(1024);
  workload.jobs[2].memory.master = mib(300);
  const auto result = run(workload, cluster, "capacity");
  EXPECT_EQ(master_start(result, 1), attempts_of(result, 0, Kind::master).at(0).end);
  EXPECT_EQ(master_start(result, 2), at_ms(2)) << "it fits beside A's";
  cluster.queues[0].maximum_masters = 0;  // one always runs
  EXPECT_LT(run(workload, cluster, "capacity").jobs[0].finish, at_ms(200));
}

TEST_P(CapacityContainers, MastersMayFillTheirPartToTheLastByte) {
  // A quarter of the 8 GiB that the queue may have is two masters of 1 GiB. The next ones start as these end.
  Cluster cluster = container_nodes(1, 16 * 1024);
  cluster.nodes[0].vcores = 100;
  cluster.queues = {{.name = "a", .capacity = 50, .maximum = 50, .maximum_masters = 25}};
  Workload workload;
  for (const int length : {50, 80, 100, 100})
    workload.jobs.push_back(
        in_queue("a", job_of(fmt::format("J{}", workload.jobs.size()).c_str(), {10, length}, {})));
  const auto result = run(workload, cluster, "capacity");
  EXPECT_EQ(running(result, Kind::master, 0), (Counts{1, 1, 0, 0}));
  EXPECT_EQ(master_start(result, 2), attempts_of(result, 0, Kind::master).at(0).end);
  EXPECT_EQ(master_start(result, 3), attempts_of(result, 1, Kind::master).at(0).end);
}

TEST_P(CapacityContainers, AMasterThatEndsMayMakeRoomForSeveral) {
  Cluster cluster = container_nodes(1, 8192);
  cluster.queues = {{.name = "a", .capacity = 100, .maximum_masters = 25}};
  Workload workload{{in_queue("a", job_of("A", {50}, {})), in_queue("a", job_of("B", {10}, {}, 1)),
                     in_queue("a", job_of("C", {10}, {}, 1)), in_queue("a", job_of("D", {10}, {}, 1))}};
  workload.jobs[0].memory.master = mib(2048);
  const auto result = run(workload, cluster, "capacity");
  const Time over = attempts_of(result, 0, Kind::master).at(0).end;
  EXPECT_EQ(master_start(result, 1), over);
  EXPECT_EQ(master_start(result, 2), over);
  EXPECT_GT(master_start(result, 3), over);
}

TEST_P(CapacityContainers, MaximaAreOfMemory) {
  // Half of 12 GiB: a master of one and five maps.
  Cluster cluster = container_nodes(1, 12288);
  cluster.nodes[0].vcores = 100;
  cluster.queues = {{.name = "a", .capacity = 25, .maximum = 50, .user_limit_factor = 100}};
  EXPECT_EQ(
      running(run({{in_queue("a", job_of("A", equal(20, 900), {}))}}, cluster, "capacity"), Kind::map, 500),
      (Counts{5}));
}

TEST_P(CapacityContainers, GuaranteesAreOfMemory) {
  // 3 and 9 of 12 GiB, a master in each.
  Cluster cluster = container_nodes(1, 12288);
  cluster.nodes[0].vcores = 100;
  cluster.queues = {{.name = "a", .capacity = 25, .user_limit_factor = 100},
                    {.name = "b", .capacity = 75, .user_limit_factor = 100}};
  const auto result =
      run({{in_queue("a", job_of("A", equal(20, 900), {})), in_queue("b", job_of("B", equal(20, 900), {}))}},
          cluster, "capacity");
  EXPECT_EQ(running(result, Kind::map, 500), (Counts{2, 8}));
}

INSTANTIATE_TEST_SUITE_P(Engines, CapacityContainers, cluster_engines(), name_of_engine);

}  // namespace
}  // namespace wavewright
