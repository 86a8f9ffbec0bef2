// The Capacity scheduler's queues: guarantees, maxima, user limits [Hadoop, Capacity Scheduler: capacity,
// maximum-capacity, minimum-user-limit-percent, user-limit-factor].
#include "tests/sched/queued_jobs.h"

namespace wavewright {
namespace {

constexpr double any = 100;  // times its guarantee: no limit of a user

class CapacityPolicy : public OnEachEngine {
 protected:
  // A job of 40 maps for each pair of queue and user; how many maps of each run at first.
  struct From {
    const char* queue;
    const char* user = "ann";
  };
  static Counts first_maps(const Cluster& cluster, const std::vector<From>& jobs) {
    Workload workload;
    for (const From& each : jobs) {
      const std::string id = fmt::format("J{}", workload.jobs.size());
      workload.jobs.push_back(
          of_user(each.user, in_queue(each.queue, job_of(id.c_str(), equal(40, 10), {}))));
    }
    return running(run(workload, cluster, "capacity"), Kind::map, 0);
  }
};

Cluster queues(Count map_slots, std::vector<Queue> queues) {
  Cluster cluster = slot_nodes(1, {map_slots, 0});
  cluster.queues = std::move(queues);
  return cluster;
}

TEST_P(CapacityPolicy, ServesTheQueueFurthestBelowItsGuarantee) {
  EXPECT_EQ(
      first_maps(queues(10, {{.name = "a", .capacity = 80}, {.name = "b", .capacity = 20}}), {{"a"}, {"b"}}),
      (Counts{8, 2}));
  EXPECT_EQ(first_maps(queues(10, {{.name = "a", .capacity = 20},
                                   {.name = "b", .capacity = 50},
                                   {.name = "c", .capacity = 30}}),
                       {{"a"}, {"b"}, {"c"}}),
            (Counts{2, 5, 3}));
  // 0.5 and 1.5 percent, when nobody else asks: a quarter and three quarters.
  EXPECT_EQ(first_maps(queues(8, {{.name = "a", .capacity = 0.5, .user_limit_factor = any},
                                  {.name = "b", .capacity = 1.5, .user_limit_factor = any},
                                  {.name = "c", .capacity = 98}}),
                       {{"a"}, {"b"}}),
            (Counts{2, 6}));
}

TEST_P(CapacityPolicy, GuaranteesReducesApart) {
  Cluster cluster = queues(10, {{.name = "a", .capacity = 70, .user_limit_factor = any},
                                {.name = "b", .capacity = 30, .user_limit_factor = any}});
  cluster.nodes[0].slots.reduce_slots = 10;
  const auto result =
      run({{in_queue("a", job_of("A", {}, equal(20, 10))), in_queue("b", job_of("B", {}, equal(20, 10))),
            in_queue("a", job_of("C", equal(20, 10), {}))}},
          cluster, "capacity");
  EXPECT_EQ(running(result, Kind::reduce, 0), (Counts{7, 3, 0}));
  EXPECT_EQ(running(result, Kind::map, 0), (Counts{0, 0, 10})) << "b asks for no maps";
}

TEST_P(CapacityPolicy, SharesAParentsGuaranteeAmongItsQueues) {
  // Of 20 slots a has 12, of which a.x gets a quarter: 3, 9 and 8.
  EXPECT_EQ(first_maps(queues(20, {{.name = "a", .capacity = 60},
                                   {.name = "a.x", .capacity = 25},
                                   {.name = "a.y", .capacity = 75},
                                   {.name = "b", .capacity = 40}}),
                       {{"a.x"}, {"a.y"}, {"b"}}),
            (Counts{3, 9, 8}));
}

TEST_P(CapacityPolicy, HoldsQueuesAndUsersToTheirLimits) {
  Cluster cluster = queues(10, {{.name = "a", .capacity = 50, .maximum = 60, .user_limit_factor = 10},
                                {.name = "b", .capacity = 50, .user_limit_factor = 1}});
  Workload workload{{job_of("A", equal(20, 10), {})}};
  workload.jobs[0].queue = "a";
  EXPECT_EQ(run(workload, cluster, "capacity").jobs[0].finish, at_ms(40)) << "6 of 10 slots at most";
  workload.jobs[0].queue = "b";
  EXPECT_EQ(run(workload, cluster, "capacity").jobs[0].finish, at_ms(40)) << "5, the user's limit";
}

TEST_P(CapacityPolicy, LetsAQueueTakeWhatIsIdleUpToItsMaximum) {
  EXPECT_EQ(first_maps(queues(10, {{.name = "a", .capacity = 20, .user_limit_factor = any}}), {{"a"}}),
            (Counts{10}));
  EXPECT_EQ(first_maps(queues(10, {{.name = "a", .capacity = 20, .maximum = 70, .user_limit_factor = any}}),
                       {{"a"}}),
            (Counts{7}));
  // 29 % of 100 is 29, 35 % of 10 is 3 whole slots, and 1 % of 10 is one slot: the least.
  EXPECT_EQ(first_maps(queues(100, {{.name = "a", .capacity = 10, .maximum = 29, .user_limit_factor = any}}),
                       {{"a"}}),
            (Counts{29}));
  EXPECT_EQ(first_maps(queues(10, {{.name = "a", .capacity = 10, .maximum = 35, .user_limit_factor = any}}),
                       {{"a"}}),
            (Counts{3}));
  EXPECT_EQ(first_maps(queues(10, {{.name = "a", .capacity = 10, .maximum = 1, .user_limit_factor = any}}),
                       {{"a"}}),
            (Counts{1}));
}

TEST_P(CapacityPolicy, TakesAMaximumOfThePartThatTheParentMayHave) {
  // 60 % of 50 % of 20 slots are 6; two such queues have the parent's 10 together.
  const Cluster cluster =
      queues(20, {{.name = "p", .capacity = 40, .maximum = 50},
                  {.name = "p.x", .capacity = 50, .maximum = 60, .user_limit_factor = any},
                  {.name = "p.y", .capacity = 50, .user_limit_factor = any}});
  EXPECT_EQ(first_maps(cluster, {{"p.x"}}), (Counts{6}));
  EXPECT_EQ(first_maps(cluster, {{"p.y"}}), (Counts{10}));
  EXPECT_EQ(first_maps(cluster, {{"p.x"}, {"p.y"}}), (Counts{5, 5}));
}

TEST_P(CapacityPolicy, GivesBackWhatAnotherQueueIsGuaranteed) {
  // a holds all ten slots, which are free at 10, 20 … 100. b comes at 5 and gets the next five.
  Job a = job_of("A", equal(10, 1'000), {});
  for (int i = 0; i < 10; ++i) a.maps.insert(a.maps.begin() + i, ms(10 * (i + 1)));
  const Cluster cluster = queues(10, {{.name = "a", .capacity = 50, .user_limit_factor = any},
                                      {.name = "b", .capacity = 50, .user_limit_factor = any}});
  const auto result =
      run({{in_queue("a", a), in_queue("b", job_of("B", equal(9, 1'000), {}, 5))}}, cluster, "capacity");
  EXPECT_EQ(running(result, Kind::map, 9), (Counts{10, 0}));
  EXPECT_EQ(running(result, Kind::map, 50), (Counts{5, 5}));
  EXPECT_EQ(running(result, Kind::map, 100), (Counts{5, 5}));
}

TEST_P(CapacityPolicy, LimitsUsersAsTheDocumentationsExampleSays) {
  // "Suppose the value of this property is 25. If two users have submitted applications to a queue, no single
  // user can use more than 50 % of the queue. If a third user submits an application, no single user can use
  // more than 33 %. With 4 or more users, no user can use more than 25 %."
  const Cluster cluster = queues(12, {{.name = "q", .capacity = 100, .minimum_user_limit = 25}});
  EXPECT_EQ(first_maps(cluster, {{"q", "ann"}}), (Counts{12}));
  EXPECT_EQ(first_maps(cluster, {{"q", "ann"}, {"q", "bob"}}), (Counts{6, 6}));
  EXPECT_EQ(first_maps(cluster, {{"q", "ann"}, {"q", "bob"}, {"q", "cat"}}), (Counts{4, 4, 4}));
  EXPECT_EQ(first_maps(cluster, {{"q", "ann"}, {"q", "bob"}, {"q", "cat"}, {"q", "dan"}, {"q", "eve"}}),
            (Counts{3, 3, 3, 3, 0}));
}

TEST_P(CapacityPolicy, RoundsUserLimitsUp) {
  // A third of ten slots is four for the first two users; 25 % of ten is three for the first three of five.
  const Cluster cluster = queues(10, {{.name = "q", .capacity = 100, .minimum_user_limit = 25}});
  EXPECT_EQ(first_maps(cluster, {{"q", "ann"}, {"q", "bob"}, {"q", "cat"}}), (Counts{4, 4, 2}));
  EXPECT_EQ(first_maps(cluster, {{"q", "ann"}, {"q", "bob"}, {"q", "cat"}, {"q", "dan"}, {"q", "eve"}}),
            (Counts{3, 3, 3, 1, 0}));
}

TEST_P(CapacityPolicy, CountsAllJobsOfAUserTogether) {
  // Half of the queue for each user; within it jobs come in order of submission.
  const Cluster cluster = queues(10, {{.name = "q", .capacity = 100, .minimum_user_limit = 50}});
  const auto small = [](const char* user, const char* id) {
    return of_user(user, in_queue("q", job_of(id, equal(3, 10), {})));
  };
  const auto result =
      run({{small("ann", "A"), small("ann", "B"), small("bob", "C"), small("ann", "D"), small("bob", "E")}},
          cluster, "capacity");
  EXPECT_EQ(running(result, Kind::map, 0), (Counts{3, 2, 3, 0, 2}));
}

TEST_P(CapacityPolicy, ServesJobsOfAQueueInOrderOfSubmissionWhoeverTheirUsersAre) {
  // One slot, ann's until 10. bob's job comes before her second one.
  const auto result = run({{of_user("ann", in_queue("q", job_of("A", {10}, {}))),
                            of_user("bob", in_queue("q", job_of("B", {10}, {}, 1))),
                            of_user("ann", in_queue("q", job_of("C", {10}, {}, 2)))}},
                          queues(1, {{.name = "q", .capacity = 100}}), "capacity");
  EXPECT_EQ(result.jobs[1].start, at_ms(10));
  EXPECT_EQ(result.jobs[2].start, at_ms(20));
}

TEST_P(CapacityPolicy, CountsAUserForEachQueueApart) {
  const Cluster cluster = queues(10, {{.name = "a", .capacity = 50, .minimum_user_limit = 50},
                                      {.name = "b", .capacity = 50, .minimum_user_limit = 50}});
  // In a two users share five slots, 3 and 2; in b ann is alone.
  EXPECT_EQ(first_maps(cluster, {{"a", "ann"}, {"a", "bob"}, {"b", "ann"}}), (Counts{3, 2, 5}));
}

TEST_P(CapacityPolicy, AUserWhoComesToAQueueHasTheLimitOfTheOthers) {
  Cluster cluster = queues(8, {{.name = "q", .capacity = 100, .user_limit_factor = 0.25}});
  cluster.nodes[0].slots.reduce_slots = 1;
  Workload workload{{job_of("A", equal(8, 10), {}), job_of("B", equal(8, 10), {}, 5)}};
  for (Job& job : workload.jobs) job.queue = "q";
  workload.jobs[0].user = "ann";
  workload.jobs[1].user = "bob";
  const auto result = run(workload, cluster, "capacity");
  EXPECT_EQ(result.jobs[0].finish, at_ms(40)) << "two at a time";
  EXPECT_EQ(result.jobs[1].finish, at_ms(45)) << "likewise, though the limit did not change when he came";
}

TEST_P(CapacityPolicy, LimitsAUserToMultiplesOfTheGuarantee) {
  // The queue may have all ten slots. One user has 2, 3 (1.5 · 2), 6 or, above 10, all of them.
  const auto with = [](double factor) {
    return first_maps(queues(10, {{.name = "q", .capacity = 20, .user_limit_factor = factor}}), {{"q"}});
  };
  EXPECT_EQ(with(1), (Counts{2}));
  EXPECT_EQ(with(1.5), (Counts{3}));
  EXPECT_EQ(with(1.3), (Counts{2})) << "2.6, rounded down";
  EXPECT_EQ(with(3), (Counts{6}));
  EXPECT_EQ(with(9), (Counts{10}));
  EXPECT_EQ(with(0.1), (Counts{1})) << "one slot at least";
}

TEST_P(CapacityPolicy, LimitsAUserOfAQueueBelowAnotherByItsPartOfTheWhole) {
  // A quarter of 60 % of 20 slots is three, though all are idle.
  EXPECT_EQ(
      first_maps(queues(20, {{.name = "a", .capacity = 60}, {.name = "a.x", .capacity = 25}}), {{"a.x"}}),
      (Counts{3}));
}

TEST_P(CapacityPolicy, SharesTheSlotsOfNodesOfAllClasses) {
  // Five slots on each of two nodes of different classes: 40 % of ten.
  Cluster cluster = queues(5, {{.name = "q", .capacity = 40, .maximum = 40}});
  cluster.nodes.push_back(cluster.nodes[0]);
  cluster.nodes[1].node_class = "other";
  EXPECT_EQ(first_maps(cluster, {{"q"}}), (Counts{4}));
}

TEST_P(CapacityPolicy, LetsUsersGrowAlikeAboveTheGuarantee) {
  // Guaranteed four of ten, two users: at four in use the limit is a half of five, rounded up, and so on to
  // five each.
  EXPECT_EQ(
      first_maps(
          queues(10, {{.name = "q", .capacity = 40, .minimum_user_limit = 50, .user_limit_factor = any}}),
          {{"q", "ann"}, {"q", "bob"}}),
      (Counts{5, 5}));
}

TEST_P(CapacityPolicy, CountsOnlyUsersThatAskForMore) {
  // ann has her two slots and wants no more: bob may have all others, not half.
  const Cluster cluster = queues(10, {{.name = "q", .capacity = 100, .minimum_user_limit = 50}});
  const auto result = run({{of_user("ann", in_queue("q", job_of("A", equal(2, 50), {}))),
                            of_user("bob", in_queue("q", job_of("B", equal(20, 50), {})))}},
                          cluster, "capacity");
  EXPECT_EQ(running(result, Kind::map, 0), (Counts{2, 8}));
}

TEST_P(CapacityPolicy, CountsAUserAgainWhoseReducesAreReady) {
  // Ten reduce slots. B alone takes all of them for 20 ms at 5; at 25 A, ready since 10, has half.
  Cluster cluster = queues(1, {{.name = "q", .capacity = 100, .minimum_user_limit = 50}});
  cluster.nodes[0].slots.reduce_slots = 10;
  const auto result = run({{of_user("ann", in_queue("q", job_of("A", {10}, equal(20, 20)))),
                            of_user("bob", in_queue("q", job_of("B", {}, equal(30, 20), 5)))}},
                          cluster, "capacity");
  EXPECT_EQ(running(result, Kind::reduce, 5), (Counts{0, 10}));
  EXPECT_EQ(running(result, Kind::reduce, 25), (Counts{5, 5}));
}

TEST_P(CapacityPolicy, GivesAQueueThatNobodyDescribedWhatIsIdle) {
  const Cluster cluster = queues(10, {{.name = "a", .capacity = 100, .user_limit_factor = any}});
  EXPECT_EQ(first_maps(cluster, {{"other"}}), (Counts{10}));
  // It holds nothing when a comes, and a has the most claim to each slot but the first.
  const auto both = first_maps(cluster, {{"a"}, {"other"}});
  EXPECT_GE(both[0], 9);
}

TEST_P(CapacityPolicy, IsFirstComeFirstServedWhereNoQueueIsDescribed) {
  EXPECT_EQ(first_maps(slot_nodes(1, {10, 0}), {{"a", "ann"}, {"b", "bob"}}), (Counts{10, 0}));
}

INSTANTIATE_TEST_SUITE_P(Engines, CapacityPolicy, all_engines(), name_of_engine);

}  // namespace
}  // namespace wavewright
