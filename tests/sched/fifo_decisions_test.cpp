// Single decisions of FIFO and of plans on a scripted cluster.
#include "tests/property.h"
#include "tests/sched/fake_cluster.h"
#include "wavewright/sched/policies/fifo.h"
#include "wavewright/sched/policies/plan_policy.h"

namespace wavewright {
namespace {

TEST(FifoDecisions, AreOneAdmissionAJob) {
  FakeCluster cluster({.nodes = {{.map_slots = 1}}, .jobs = {{.id = "A", .maps = 2}, {.id = "B", .maps = 1}}},
                      {make_fifo(), nullptr});
  cluster.arrive("B");
  cluster.arrive("A");
  EXPECT_EQ(cluster.fill(Kind::map), "B");
  cluster.end("B", Kind::map);
  EXPECT_EQ(cluster.decisions(), (std::vector<std::string>{"admit B to 0", "admit A to 0"}));
}

TEST(FifoDecisions, PutATaskThatIsLostBackAtItsJobsPlace) {
  FakeCluster cluster({.nodes = {{.map_slots = 2}}, .jobs = {{.id = "A", .maps = 1}, {.id = "B", .maps = 2}}},
                      {make_fifo(), nullptr});
  cluster.arrive("A");
  cluster.arrive("B");
  EXPECT_EQ(cluster.fill(Kind::map), "A B");
  EXPECT_EQ(cluster.order(Kind::map), "B");
  cluster.lose("A", Kind::map);
  EXPECT_EQ(cluster.order(Kind::map), "A B");
}

TEST(PlanDecisions, ATaskThatIsLostGivesItsTurnBack) {
  // A's first map, then B's, then A's second.
  Plan plan;
  plan.order = {"A", "B"};
  plan.map_turns = {{"A", 1}, {"B", 1}, {"A", 1}};
  FakeCluster cluster({.nodes = {{.map_slots = 3}}, .jobs = {{.id = "A", .maps = 2}, {.id = "B", .maps = 1}}},
                      {make_plan_policy(plan), nullptr});
  cluster.arrive("A");
  cluster.arrive("B");
  EXPECT_EQ(cluster.order(Kind::map), "A B");
  EXPECT_EQ(cluster.give(Kind::map, 0), "A");
  EXPECT_EQ(cluster.order(Kind::map), "B A");
  cluster.lose("A", Kind::map);
  EXPECT_EQ(cluster.order(Kind::map), "A B");
}

}  // namespace
}  // namespace wavewright
