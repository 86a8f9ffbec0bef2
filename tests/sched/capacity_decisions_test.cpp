// Single decisions of the Capacity scheduler on a scripted cluster: whose turn it is, and users' limits as
// jobs come and go.
#include "tests/property.h"
#include "tests/sched/fake_cluster.h"
#include "wavewright/sched/policies/capacity.h"

namespace wavewright {
namespace {

Policy capacity(const std::vector<Queue>& queues) {
  return {make_capacity(queues), nullptr};
}

TEST(CapacityDecisions, ServeTheQueueThatHoldsTheLeastOfItsGuarantee) {
  // 20 : 80. At 0 and 0 the first one described goes first; then 1/20 against 0, 1/80 … 4/80.
  FakeCluster cluster(
      {.nodes = {{.map_slots = 10}},
       .jobs = {{.id = "A", .maps = 20, .queue = "a"}, {.id = "B", .maps = 20, .queue = "b"}}},
      capacity({{.name = "a", .capacity = 20, .user_limit_factor = 9},
                {.name = "b", .capacity = 80, .user_limit_factor = 9}}));
  cluster.arrive("A");
  cluster.arrive("B");
  EXPECT_EQ(cluster.fill(Kind::map), "A B B B B A B B B B");
  cluster.end("B", Kind::map);
  EXPECT_EQ(cluster.order(Kind::map), "B A");
}

// Histories name queues from the root on, and users by their last part.
TEST(CapacityDecisions, FindAQueueByItsPathOrByTheLastPartOfIt) {
  const std::vector<Queue> queues = {
      {.name = "prod", .capacity = 50, .user_limit_factor = 9},
      {.name = "prod.etl", .capacity = 100, .maximum = 20, .user_limit_factor = 9},
      {.name = "test", .capacity = 50, .user_limit_factor = 9},
      {.name = "test.ad", .capacity = 50, .maximum = 50, .user_limit_factor = 9},
      {.name = "prod.ad", .capacity = 50, .maximum = 50, .user_limit_factor = 9}};
  const auto starts = [&](const std::string& queue) {
    FakeCluster cluster({.nodes = {{.map_slots = 20}}, .jobs = {{.id = "A", .maps = 30, .queue = queue}}},
                        capacity(queues));
    cluster.arrive("A");
    return (cluster.fill(Kind::map).size() + 1) / 2;
  };
  for (const std::string path : {"prod.etl", "root.prod.etl", "etl"})
    EXPECT_EQ(starts(path), 4U) << path << ": 20 % of the cluster";
  EXPECT_EQ(starts("root.etl"), 20U) << "a queue of its own, with no limit";
  EXPECT_EQ(starts("ad"), 20U) << "two queues end so";
}

TEST(CapacityDecisions, PassAQueueAtItsMaximum) {
  FakeCluster cluster({.nodes = {{.map_slots = 10}}, .jobs = {{.id = "A", .maps = 20, .queue = "a"}}},
                      capacity({{.name = "a", .capacity = 20, .maximum = 30, .user_limit_factor = 9}}));
  cluster.arrive("A");
  EXPECT_EQ(cluster.fill(Kind::map), "A A A");
  EXPECT_EQ(cluster.order(Kind::map), "");
  cluster.end("A", Kind::map);
  EXPECT_EQ(cluster.order(Kind::map), "A");
}

TEST(CapacityDecisions, DivideAQueueAmongTheUsersWhoAskForMore) {
  // A guarantee of 12 slots and a least part of 25 %: 12, 6, 4 and 3 slots a user. ann's group is 2, bob's 3.
  FakeCluster cluster({.nodes = {{.map_slots = 12}},
                       .jobs = {{.id = "A", .maps = 2, .queue = "q", .user = "ann"},
                                {.id = "B", .maps = 30, .queue = "q", .user = "bob"},
                                {.id = "C", .maps = 30, .queue = "q", .user = "cat"}}},
                      capacity({{.name = "q", .capacity = 100, .minimum_user_limit = 25}}));
  cluster.arrive("A");
  EXPECT_EQ(cluster.count("group 2 under 1 guaranteed any/any max 12/1"), 1U);
  cluster.arrive("B");
  EXPECT_EQ(cluster.count("group 3 under 1 guaranteed any/any max 6/1"), 1U);
  cluster.arrive("C");
  EXPECT_EQ(cluster.count("group 3 under 1 guaranteed any/any max 4/1"), 1U);
  cluster.start("A", Kind::map);
  EXPECT_EQ(cluster.count("group 3 under 1 guaranteed any/any max 6/1"), 1U) << "ann asks for one more";
  cluster.start("A", Kind::map);
  EXPECT_EQ(cluster.count("group 3 under 1 guaranteed any/any max 6/1"), 2U) << "and now for none";
  EXPECT_EQ(cluster.fill(Kind::map), "B B B B B B C C C C");
  cluster.lose("A", Kind::map);
  EXPECT_EQ(cluster.count("group 3 under 1 guaranteed any/any max 4/1"), 2U) << "she asks again";
}

TEST(CapacityDecisions, ServeTheUsersOfAQueueInOrderOfSubmission) {
  FakeCluster cluster({.nodes = {{.map_slots = 4}},
                       .jobs = {{.id = "A", .maps = 9, .queue = "q", .user = "ann"},
                                {.id = "B", .maps = 9, .queue = "q", .user = "bob"},
                                {.id = "C", .maps = 9, .queue = "q", .user = "ann"}}},
                      capacity({{.name = "q", .capacity = 100, .minimum_user_limit = 50}}));
  for (const char* id : {"A", "B", "C"}) cluster.arrive(id);
  EXPECT_EQ(cluster.order(Kind::map), "A B C");
  EXPECT_EQ(cluster.fill(Kind::map), "A A B B") << "ann's limit is two";
}

TEST(CapacityDecisions, LetAsManyMastersStartAsTheirPartHolds) {
  // 30 % of eight containers are 2.4.
  FakeSetup setup{.nodes = {{.map_slots = 8}}, .container = 1000};
  for (const char* id : {"A", "B", "C"}) setup.jobs.push_back({.id = id, .maps = 1, .queue = "q"});
  FakeCluster cluster(setup, capacity({{.name = "q", .capacity = 100, .maximum_masters = 30}}));
  for (const char* id : {"A", "B", "C"}) cluster.arrive(id);
  EXPECT_EQ(cluster.standing_of("B"), "admitted");
  EXPECT_EQ(cluster.standing_of("C"), "waiting");
  EXPECT_EQ(cluster.fill(Kind::map), "A A B B");
  cluster.end("B", Kind::map);
  EXPECT_EQ(cluster.standing_of("B"), "finished");
  EXPECT_EQ(cluster.standing_of("C"), "admitted");
}

}  // namespace
}  // namespace wavewright
