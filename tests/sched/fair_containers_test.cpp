// The Fair scheduler of containers: shares of memory, application masters, and the room that these are told
// of [FSLeafQueue: maxAMShare; FSAppAttempt: getHeadroom].
#include "tests/sched/queued_jobs.h"

namespace wavewright {
namespace {

class FairContainers : public OnEachEngine {
 protected:
  static Time master_start(const SimulationResult& result, JobIndex job) {
    return attempts_of(result, job, Kind::master).at(0).start;
  }
};

Cluster many_cores(Count memory_mb) {
  Cluster cluster = container_nodes(1, memory_mb);
  cluster.nodes[0].vcores = 100;
  return cluster;
}

TEST_P(FairContainers, ShareMemory) {
  Cluster cluster = container_nodes(1, 8192);
  cluster.containers.reduce.memory = mib(2048);
  // With reduces of 2 GiB and maps of 1 GiB both hold 4 GiB with their masters. A, which asks for reduces a
  // heartbeat later than for maps, comes one earlier.
  const auto result =
      run({{job_of("A", {}, equal(4, 900)), job_of("B", equal(9, 900), {}, 1)}}, cluster, "fair");
  EXPECT_EQ(running(result, Kind::reduce, 500), (Counts{2, 0}));
  EXPECT_EQ(running(result, Kind::map, 500), (Counts{0, 2}));
}

TEST_P(FairContainers, ShareMemoryByWeight) {
  // 12 GiB are 3 and 9, a master in each.
  Cluster cluster = many_cores(12 * 1024);
  cluster.queues = {{.name = "a", .weight = 0.5}, {.name = "b", .weight = 1.5}};
  const auto result =
      run({{in_queue("a", job_of("A", equal(20, 900), {})), in_queue("b", job_of("B", equal(20, 900), {}))}},
          cluster, "fair");
  EXPECT_EQ(running(result, Kind::map, 500), (Counts{2, 8}));
}

// Two nodes of four cores and room for eight containers each.
Cluster few_cores() {
  Cluster cluster = container_nodes(2, 8192);
  cluster.nodes[0].vcores = 4;
  return cluster;
}

TEST_P(FairContainers, NoSecondMasterOfAQueueStartsWhereAllCoresAreInUse) {
  Workload workload{{in_queue("q", job_of("A", equal(7, 100), {})), in_queue("q", job_of("B", {10}, {}, 5))}};
  const auto result = run(workload, few_cores(), "fair");
  EXPECT_EQ(attempts_of(result, 0, Kind::map).size(), 7U)
      << "its master and its maps take all cores, and half the room";
  EXPECT_EQ(master_start(result, 1), attempts_of(result, 0, Kind::map).front().end);
  EXPECT_EQ(master_start(run(workload, few_cores(), "fair(masters=any)"), 1), at_ms(5));
  workload.jobs[1].queue = "another";
  workload.jobs[0].maps.pop_back();
  EXPECT_EQ(master_start(run(workload, few_cores(), "fair"), 1), at_ms(5))
      << "half of one free core, rounded up";
}

TEST_P(FairContainers, MastersOfAQueueKeepToAPartOfItsShare) {
  const Cluster cluster = many_cores(8192);
  Workload workload;
  for (const char* id : {"A", "B", "C", "D"}) workload.jobs.push_back(in_queue("q", job_of(id, {100}, {})));
  const auto up_at_once = [&](const std::string& policy) {
    return running(run(workload, cluster, policy), Kind::master, 0);
  };
  EXPECT_EQ(up_at_once("fair(masters=25)"), (Counts{1, 1, 0, 0})) << "2 of 8 GiB";
  EXPECT_EQ(up_at_once("fair(masters=1)"), (Counts{1, 0, 0, 0})) << "one always";
  EXPECT_EQ(up_at_once("fair"), (Counts{1, 1, 1, 1}));
}

TEST_P(FairContainers, ThePartOfMastersIsRoundedUp) {
  Workload workload{{in_queue("b", job_of("B", {900}, {})), in_queue("c", job_of("C", {900}, {}))}};
  for (const char* id : {"D", "E", "F"}) workload.jobs.push_back(in_queue("a", job_of(id, {100}, {}, 1)));
  const auto masters = [&](const std::string& policy) {
    return running(run(workload, many_cores(10 * 1024), policy), Kind::master, 50);
  };
  // A third of 10 GiB is 3,413 whole MiB, of which 60 % are 2,047.8: two masters of 1,024. 59.97 % are
  // 2,046.8.
  EXPECT_EQ(masters("fair(masters=60)"), (Counts{1, 1, 1, 1, 0}));
  EXPECT_EQ(masters("fair(masters=59.97)"), (Counts{1, 1, 1, 0, 0}));
}

TEST_P(FairContainers, AMasterThatEndsMakesRoomForAnother) {
  // Two of 1 GiB at a time. A is over first, then B.
  Workload workload;
  for (const int length : {50, 80, 100, 100})
    workload.jobs.push_back(
        in_queue("q", job_of(fmt::format("J{}", workload.jobs.size()).c_str(), {10, length}, {})));
  const auto result = run(workload, many_cores(8192), "fair(masters=25)");
  EXPECT_EQ(master_start(result, 2), attempts_of(result, 0, Kind::master).at(0).end);
  EXPECT_EQ(master_start(result, 3), attempts_of(result, 1, Kind::master).at(0).end);
}

TEST_P(FairContainers, MastersKeepToAPartOfTheCoresThatAreFree) {
  // A's master takes two cores and its map one. Of eight cores five are free, half of which is three, rounded
  // up: too few for two masters. Of ten it is four.
  const Workload workload{{in_queue("q", job_of("A", {100}, {})), in_queue("q", job_of("B", {10}, {}, 5))}};
  Cluster cluster = container_nodes(1, 8192);
  cluster.containers.master.vcores = 2;
  const auto eight = run(workload, cluster, "fair");
  EXPECT_GE(master_start(eight, 1), attempts_of(eight, 0, Kind::map).at(0).end);
  cluster.nodes[0].vcores = 10;
  EXPECT_EQ(master_start(run(workload, cluster, "fair"), 1), at_ms(5));
}

TEST_P(FairContainers, SharesAreOfNodesOfAllClasses) {
  // Two nodes of 4 GiB and of different classes: a quarter of 8 GiB is two masters.
  Cluster cluster = many_cores(4096);
  cluster.nodes.push_back(cluster.nodes[0]);
  cluster.nodes[1].node_class = "other";
  Workload workload;
  for (const char* id : {"A", "B", "C"}) workload.jobs.push_back(in_queue("q", job_of(id, {100}, {})));
  EXPECT_EQ(running(run(workload, cluster, "fair(masters=25)"), Kind::master, 0), (Counts{1, 1, 0}));
}

// A master that was lost with the only node waits for free cores: it may start when the node is back.
TEST_P(FairContainers, AMasterThatIsLostWithTheOnlyNodeStartsAgain) {
  Cluster cluster = container_nodes(1, 8192);
  cluster.outages = {{"node1", at_ms(50), at_ms(120)}};
  const auto masters = attempts_of(run({{job_of("A", {20, 90}, {})}}, cluster, "fair"), 0, Kind::master);
  ASSERT_EQ(masters.size(), 2U);
  EXPECT_EQ(masters[0].outcome, AttemptOutcome::lost);
  EXPECT_EQ(masters[1].start, at_ms(120));
}

TEST_P(FairContainers, AMasterThatIsLostWaitsAsAllDo) {
  // Masters may have 3 GiB: B's 1 GiB and A's, but not C's 3 GiB beside them. B is over when the node goes
  // with A's. When it is back C is first, and A waits until it is over.
  Cluster cluster = many_cores(8192);
  cluster.outages = {{"node1", at_ms(150), at_ms(200)}};
  Workload workload{{in_queue("q", job_of("B", {50}, {})), in_queue("q", job_of("C", {10}, {}, 2)),
                     in_queue("q", job_of("A", {300}, {}, 5))}};
  workload.jobs[1].memory.master = mib(3072);
  const auto result = run(workload, cluster, "fair(masters=37.5)");
  const auto of_a = attempts_of(result, 2, Kind::master), of_c = attempts_of(result, 1, Kind::master);
  ASSERT_EQ(of_a.size(), 2U);
  EXPECT_EQ(of_a[0].start, at_ms(5));
  EXPECT_EQ(of_c.at(0).start, at_ms(200));
  EXPECT_EQ(of_a[1].start, of_c.at(0).end);
}

// B takes 4 of 14 GiB. From 1.1 s on two of A's six maps of 4 GiB are done, two run and two wait: a third of
// what A may have is for reduces. With a share of 7 GiB it may have 6 beside its master, with one of 10 all 9
// that B and the master leave. So A asks for one reduce of 1,390 MiB or for two. They start when its maps
// end.
TEST_P(FairContainers, AMasterReckonsWithWhatItsQueuesShareLeaves) {
  Cluster cluster = many_cores(14 * 1024);
  cluster.mode.slowstart = 0;
  cluster.containers.map.memory = mib(4096);
  cluster.containers.reduce.memory = mib(1390);
  Job other = in_queue("b", job_of("B", {9'000}, {}));
  other.memory.map = mib(3072);
  Workload workload{{in_queue("a", job_of("A", equal(6, 1'000), equal(4, 10), 100)), other}};
  const auto reduces = [&] {
    const auto all = attempts_of(run(workload, cluster, "fair"), 0, Kind::reduce);
    return std::count_if(all.begin(), all.end(),
                         [&](const TaskRecord& each) { return each.start == all.front().start; });
  };
  EXPECT_EQ(reduces(), 1) << "7 GiB for each queue";
  cluster.queues = {{.name = "a", .weight = 5}, {.name = "b"}};
  EXPECT_EQ(reduces(), 2) << "11.7 GiB for five of six parts";
  cluster.queues = {{.name = "a", .minimum = {10 * 1024, 0}}, {.name = "b"}};
  EXPECT_EQ(reduces(), 2) << "its minimum";
  cluster.queues = {{.name = "a", .weight = 5}, {.name = "b"}, {.name = "c", .weight = 5}};
  EXPECT_EQ(reduces(), 2) << "c has no job";
  Job third = in_queue("c", job_of("C", {9'000}, {}, 500));
  third.memory.map = mib(1024);
  workload.jobs.push_back(third);
  EXPECT_EQ(reduces(), 1) << "c has one: 6.4 GiB for five of eleven parts";
  workload.jobs[2] = in_queue("c", job_of("C", {}, {600}));
  workload.jobs[2].memory.master = workload.jobs[2].memory.reduce = mib(100);
  EXPECT_EQ(reduces(), 2) << "c had one until 0.6 s";
  workload.jobs.pop_back();
  for (Job& job : workload.jobs) job.queue = "p." + job.queue;
  cluster.queues = {{.name = "p"}, {.name = "p.a"}, {.name = "p.b"}};
  EXPECT_EQ(reduces(), 1) << "half of the parent's 14 GiB";
  cluster.queues[1].weight = 5;
  EXPECT_EQ(reduces(), 2);
}

INSTANTIATE_TEST_SUITE_P(Engines, FairContainers, cluster_engines(), name_of_engine);

}  // namespace
}  // namespace wavewright
