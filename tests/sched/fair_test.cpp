// The Fair scheduler's shares: weights, minima, queues within queues, jobs and users within a queue.
#include "tests/sched/queued_jobs.h"

namespace wavewright {
namespace {

class FairPolicy : public OnEachEngine {};

// A job of 20 maps in each queue; how many maps of each run at first on so many slots.
Counts first_maps(const std::function<SimulationResult(const Workload&)>& run,
                  const std::vector<const char*>& queues) {
  Workload workload;
  for (const char* queue : queues) workload.jobs.push_back(in_queue(queue, job_of(queue, equal(20, 10), {})));
  return running(run(workload), Kind::map, 0);
}

TEST_P(FairPolicy, SharesByWeight) {
  Cluster cluster = slot_nodes(1, {12, 0});
  const auto fair = [&](const Workload& workload) { return run(workload, cluster, "fair"); };
  // 12 slots for weights 1 + 2 + 3 are 2 a weight.
  cluster.queues = {{.name = "a", .weight = 1}, {.name = "b", .weight = 2}, {.name = "c", .weight = 3}};
  EXPECT_EQ(first_maps(fair, {"a", "b", "c"}), (Counts{2, 4, 6}));
  EXPECT_EQ(first_maps(fair, {"c", "b"}), (Counts{7, 5})) << "3 : 2 are 7.2 and 4.8";
  // 0.5 + 1.5 weigh 2: 6 slots a weight.
  cluster.queues = {{.name = "a", .weight = 0.5}, {.name = "b", .weight = 1.5}};
  EXPECT_EQ(first_maps(fair, {"a", "b"}), (Counts{3, 9}));
  // 0.001 : 0.005 are 2 and 10.
  cluster.queues = {{.name = "a", .weight = 0.001}, {.name = "b", .weight = 0.005}};
  EXPECT_EQ(first_maps(fair, {"a", "b"}), (Counts{2, 10}));
}

TEST_P(FairPolicy, GivesAQueueOfHardlyAnyWeightWhatOthersLeave) {
  Cluster cluster = slot_nodes(1, {4, 0});
  cluster.queues = {{.name = "a", .weight = 0.0001}, {.name = "b"}};
  const auto result =
      run({{in_queue("a", job_of("A", equal(4, 10), {})), in_queue("b", job_of("B", equal(3, 10), {}, 1)),
            in_queue("b", job_of("C", equal(3, 10), {}))}},
          cluster, "fair");
  EXPECT_EQ(running(result, Kind::map, 0), (Counts{1, 0, 3}));
  EXPECT_EQ(running(result, Kind::map, 10), (Counts{1, 3, 0}));
}

TEST_P(FairPolicy, SharesByWeightAndServesMinimaFirst) {
  Cluster cluster = slot_nodes(1, {6, 0});
  const auto fair = [&](const Workload& workload) { return run(workload, cluster, "fair"); };
  cluster.queues = {{.name = "a", .weight = 2}, {.name = "b", .weight = 1}};
  EXPECT_EQ(first_maps(fair, {"a", "b"}), (Counts{4, 2}));
  cluster.queues[1].minimum.map_slots = 5;
  EXPECT_EQ(first_maps(fair, {"a", "b"}), (Counts{1, 5}));
}

TEST_P(FairPolicy, ServesOfTwoQueuesBelowTheirMinimaTheOneWithTheSmallerPartOfIt) {
  Cluster cluster = slot_nodes(1, {6, 0});
  cluster.queues = {{.name = "a", .minimum = {4, 0}}, {.name = "b", .minimum = {8, 0}}};
  const auto fair = [&](const Workload& workload) { return run(workload, cluster, "fair"); };
  EXPECT_EQ(first_maps(fair, {"a", "b"}), (Counts{2, 4})) << "half of each minimum";
}

TEST_P(FairPolicy, SharesByWeightAboveMinima) {
  Cluster cluster = slot_nodes(1, {8, 0});
  // By weight 2 and 6: a has its minimum of 2 then, and no more for it.
  cluster.queues = {{.name = "a", .weight = 1, .minimum = {2, 0}}, {.name = "b", .weight = 3}};
  const auto fair = [&](const Workload& workload) { return run(workload, cluster, "fair"); };
  EXPECT_EQ(first_maps(fair, {"b", "a"}), (Counts{6, 2}));
  EXPECT_EQ(first_maps(fair, {"a", "b"}), (Counts{2, 6}));
}

TEST_P(FairPolicy, KeepsNothingForAMinimumThatIsNotAskedFor) {
  Cluster cluster = slot_nodes(1, {6, 0});
  cluster.queues = {{.name = "a"}, {.name = "b", .minimum = {5, 0}}};
  const auto result =
      run({{in_queue("a", job_of("A", equal(9, 10), {})), in_queue("b", job_of("B", equal(2, 10), {}))}},
          cluster, "fair");
  EXPECT_EQ(running(result, Kind::map, 0), (Counts{4, 2}));
}

TEST_P(FairPolicy, SharesMapsAndReducesApart) {
  Cluster cluster = slot_nodes(1, {4, 4});
  cluster.queues = {{.name = "a", .weight = 3, .minimum = {0, 1}},
                    {.name = "b", .weight = 1, .minimum = {0, 2}}};
  const auto result =
      run({{in_queue("a", job_of("A", equal(9, 10), {})), in_queue("b", job_of("B", equal(9, 10), {})),
            in_queue("a", job_of("C", {}, equal(9, 10))), in_queue("b", job_of("D", {}, equal(9, 10)))}},
          cluster, "fair");
  EXPECT_EQ(running(result, Kind::map, 0), (Counts{3, 1, 0, 0})) << "by weight";
  EXPECT_EQ(running(result, Kind::reduce, 0), (Counts{0, 0, 2, 2}))
      << "two of reduces are b's before all others";
}

TEST_P(FairPolicy, SharesAQueueAmongItsJobs) {
  const Cluster cluster = slot_nodes(1, {6, 0});
  const Workload workload{{in_queue("a", job_of("A", equal(9, 10), {})),
                           in_queue("a", job_of("B", equal(9, 10), {})),
                           in_queue("b", job_of("C", equal(9, 10), {}))}};
  // Each queue has three slots; a's third goes to the job that came first.
  EXPECT_EQ(running(run(workload, cluster, "fair"), Kind::map, 0), (Counts{2, 1, 3}));
  EXPECT_EQ(running(run(workload, cluster, "fair(within=fifo)"), Kind::map, 0), (Counts{3, 0, 3}));
}

TEST_P(FairPolicy, SharesAmongUsersWhereEachHasAPool) {
  const Cluster cluster = slot_nodes(1, {6, 0});
  const Workload workload{{of_user("ann", in_queue("x", job_of("A", equal(9, 10), {}))),
                           of_user("ann", in_queue("y", job_of("B", equal(9, 10), {}))),
                           of_user("bob", in_queue("x", job_of("C", equal(9, 10), {})))}};
  // Three for ann, two of them for her first job; by queues they would be two, three and one.
  EXPECT_EQ(running(run(workload, cluster, "fair(pools=users)"), Kind::map, 0), (Counts{2, 1, 3}));
  EXPECT_EQ(running(run(workload, cluster, "fair"), Kind::map, 0), (Counts{2, 3, 1}));
}

TEST_P(FairPolicy, SharesAQueueAmongTheQueuesBelowIt) {
  Cluster cluster = slot_nodes(1, {8, 0});
  const auto fair = [&](const Workload& workload) { return run(workload, cluster, "fair"); };
  const auto in_order = [&](const Workload& workload) { return run(workload, cluster, "fair(within=fifo)"); };
  // a and b have 4 each, whatever is below a.
  cluster.queues = {{.name = "a"}, {.name = "a.x"}, {.name = "a.y"}, {.name = "b"}};
  EXPECT_EQ(first_maps(fair, {"a.x", "a.y", "b"}), (Counts{2, 2, 4}));
  EXPECT_EQ(first_maps(in_order, {"a.x", "a.y", "b"}), (Counts{2, 2, 4}));
  cluster.queues = {{.name = "a"}, {.name = "a.x", .weight = 3}, {.name = "a.y"}, {.name = "b"}};
  EXPECT_EQ(first_maps(fair, {"a.x", "a.y", "b"}), (Counts{3, 1, 4}));
  cluster.queues = {
      {.name = "a", .weight = 3}, {.name = "a.x"}, {.name = "a.y", .minimum = {5, 0}}, {.name = "b"}};
  EXPECT_EQ(first_maps(fair, {"a.x", "a.y", "b"}), (Counts{1, 5, 2}));
  // Nobody described these: p.q and p.s are below p all the same.
  cluster.queues.clear();
  EXPECT_EQ(first_maps(fair, {"p.q", "p.s", "r"}), (Counts{2, 2, 4}));
  EXPECT_EQ(first_maps(fair, {"p.q.u", "p.q.v", "p.s", "r"}), (Counts{1, 1, 2, 4}));
}

TEST_P(FairPolicy, KeepsTheJobsOfAQueueThatGetsAnotherBelowIt) {
  // One slot, taken until 10. J waits in p when p.q is made for K, and comes first.
  const auto result = run({{in_queue("x", job_of("X", {10}, {})), in_queue("p", job_of("J", {10}, {})),
                            in_queue("p.q", job_of("K", {10}, {}, 5))}},
                          slot_nodes(1, {1, 0}), "fair(within=fifo)");
  EXPECT_EQ(result.jobs[1].start, at_ms(10));
  EXPECT_EQ(result.jobs[2].start, at_ms(20));
}

TEST_P(FairPolicy, GivesAQueueThatNobodyDescribedTheWeightOne) {
  Cluster cluster = slot_nodes(1, {8, 0});
  cluster.queues = {{.name = "a", .weight = 3}};
  const auto fair = [&](const Workload& workload) { return run(workload, cluster, "fair"); };
  EXPECT_EQ(first_maps(fair, {"a", "z"}), (Counts{6, 2}));
}

TEST_P(FairPolicy, PutsAJobWithoutAQueueIntoTheDefaultOne) {
  Cluster cluster = slot_nodes(1, {8, 0});
  cluster.queues = {{.name = "default", .weight = 3}, {.name = "b"}};
  const auto fair = [&](const Workload& workload) { return run(workload, cluster, "fair"); };
  EXPECT_EQ(first_maps(fair, {"", "b"}), (Counts{6, 2}));
}

TEST_P(FairPolicy, GivesWhatAQueueLeavesToTheOthers) {
  const Workload workload{{in_queue("a", job_of("A", equal(1, 10), {})),
                           in_queue("b", job_of("B", equal(9, 10), {})),
                           in_queue("c", job_of("C", equal(9, 10), {}))}};
  // A third of nine is three; of the two that a leaves each of the others gets one.
  EXPECT_EQ(running(run(workload, slot_nodes(1, {9, 0}), "fair"), Kind::map, 0), (Counts{1, 4, 4}));
}

TEST_P(FairPolicy, GivesFreedSlotsToTheQueueThatHasTheLeast) {
  // A holds four slots when B comes at 5. B gets those freed at 10 and 20, then each has two.
  const auto result = run({{in_queue("a", job_of("A", {10, 20, 30, 40, 90, 90, 90, 90}, {})),
                            in_queue("b", job_of("B", equal(6, 90), {}, 5))}},
                          slot_nodes(1, {4, 0}), "fair");
  EXPECT_EQ(running(result, Kind::map, 9), (Counts{4, 0}));
  EXPECT_EQ(running(result, Kind::map, 10), (Counts{3, 1}));
  EXPECT_EQ(running(result, Kind::map, 20), (Counts{2, 2}));
  EXPECT_EQ(running(result, Kind::map, 40), (Counts{2, 2}));
}

TEST_P(FairPolicy, SharesAmongManyQueuesByWeight) {
  // Weights 1 to 16 are 136 in all: as many slots as weight for each.
  Cluster cluster = slot_nodes(1, {136, 0});
  Workload workload;
  Counts expected;
  for (int weight = 1; weight <= 16; ++weight) {
    const std::string name = fmt::format("q{}", weight);
    cluster.queues.push_back({.name = name, .weight = static_cast<double>(weight)});
    workload.jobs.push_back(in_queue(name, job_of(name.c_str(), equal(30, 10), {})));
    expected.push_back(weight);
  }
  EXPECT_EQ(running(run(workload, cluster, "fair"), Kind::map, 0), expected);
}

INSTANTIATE_TEST_SUITE_P(Engines, FairPolicy, all_engines(), name_of_engine);

}  // namespace
}  // namespace wavewright
