// The policies that rent without looking at deadlines: autoscaler and fixed-size.
#include <gmock/gmock.h>

#include "tests/sched/fake_cluster.h"
#include "wavewright/cloud/deadline/policies.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

// Machines of two map slots and one reduce slot that boot for 5 s, and jobs of maps of 10 s.
FakeCluster rented_cluster(const std::string& policy, std::vector<FakeJob> jobs) {
  FakeClass rented{.machine = {.map_slots = 2, .reduce_slots = 1}};
  rented.offer.machines = 99;
  rented.offer.machine = {.map_slots = 2, .reduce_slots = 1};
  rented.offer.boot = ms(5000);
  return {{.jobs = std::move(jobs), .classes = {rented}},
          make_policy(policy, {}, PolicyRegistry(deadline_policies()))};
}

TEST(FixedSize, RentsItsMachinesAtTheFirstJobAndKeepsThem) {
  FakeCluster cluster = rented_cluster("fixed-size(3, machines=on-demand, idle=1s)",
                                       {{.id = "A", .maps = 1, .map = ms(10'000), .deadline = at_ms(1)}});
  EXPECT_EQ(cluster.count("rent"), 0U);
  cluster.arrive("A");
  EXPECT_EQ(cluster.count("rent 3 of class 0"), 1U);
  cluster.advance(ms(5000));
  EXPECT_EQ(cluster.fill(Kind::map), "A");
  cluster.end("A", Kind::map);
  cluster.advance(ms(100'000));
  EXPECT_EQ(cluster.count("give back"), 0U);
}

TEST(Autoscaler, RentsWhileTasksWaitAndGivesBackWhatIsIdle) {
  FakeCluster cluster =
      rented_cluster("autoscaler(machines=on-demand, least=2, step=100%, period=10s, cooldown=25s, idle=0)",
                     {{.id = "A", .maps = 40, .map = ms(10'000), .deadline = at_ms(1)}});
  cluster.arrive("A");
  EXPECT_EQ(cluster.count("rent 2 of class 0"), 1U) << "the least";
  cluster.advance(ms(5000));
  (void)cluster.fill(Kind::map);
  cluster.advance(ms(5000));
  EXPECT_EQ(cluster.count("rent 2 of class 0"), 2U) << "36 tasks wait for four that run: twice the machines";
  cluster.advance(ms(20'000));
  EXPECT_EQ(cluster.count("rent"), 2U) << "it lets 25 s pass";
  cluster.advance(ms(10'000));
  EXPECT_EQ(cluster.count("rent 4 of class 0"), 1U);
  for (std::string started = cluster.fill(Kind::map); cluster.running() > 0; (void)cluster.fill(Kind::map))
    cluster.end("A", Kind::map);
  cluster.advance(ms(60'000));
  EXPECT_EQ(cluster.count("give back"), 6U) << "two stay";
}

}  // namespace
}  // namespace wavewright
