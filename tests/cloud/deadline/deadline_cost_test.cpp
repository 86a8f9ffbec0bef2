// What deadline-cost rents, keeps and serves first.
#include <gmock/gmock.h>

#include "tests/sched/fake_cluster.h"
#include "wavewright/cloud/deadline/policies.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

// Nothing is there but machines of one map and one reduce slot, which boot for 5 s at 1 USD an hour.
FakeCluster rented_cluster(const std::string& own, std::vector<FakeJob> jobs,
                           Billing billing = Billing::per_started_hour) {
  FakeClass rented{.machine = {.map_slots = 1, .reduce_slots = 1}};
  rented.offer.machines = 99;
  rented.offer.machine = {.map_slots = 1, .reduce_slots = 1};
  rented.offer.boot = ms(5000);
  rented.offer.on_demand_per_hour = from_usd(1);
  rented.offer.billing = billing;
  return {
      {.jobs = std::move(jobs), .classes = {rented}},
      make_policy("deadline-cost(machines=on-demand, " + own + ")", {}, PolicyRegistry(deadline_policies()))};
}
FakeJob maps(const std::string& id, Count count, std::int64_t deadline_s) {
  return {.id = id, .maps = count, .map = ms(10'000), .deadline = at_ms(deadline_s * 1000)};
}

TEST(DeadlineCost, RentsTheFewestMachinesForTheDeadline) {
  FakeCluster cluster =
      rented_cluster("memory=0, margin=0, spare=0, late=100, tardy=100", {maps("A", 10, 35)});
  cluster.arrive("A");
  EXPECT_EQ(cluster.count("rent 4 of class 0"), 1U) << "each ends three maps of ten by 35 s";
  EXPECT_EQ(cluster.count("rent"), 1U);
}

TEST(DeadlineCost, LeavesAMarginOfAJobsSlack) {
  // A boot and a map take 15 s of 35: the margin is half of 20 s. Two maps of each machine end by 25 s.
  FakeCluster cluster =
      rented_cluster("memory=0, margin=50%, spare=0, late=100, tardy=100", {maps("A", 10, 35)});
  cluster.arrive("A");
  EXPECT_EQ(cluster.count("rent 5 of class 0"), 1U);
}

TEST(DeadlineCost, CountsTheNeedOfAllJobsTogether) {
  // Alone A needs one machine and B two. By 45 s two end eight maps, and B's are six of them.
  FakeCluster cluster = rented_cluster("memory=0, margin=0, spare=0, late=100, tardy=100",
                                       {maps("A", 2, 45), maps("B", 6, 45)});
  cluster.arrive("A");
  EXPECT_EQ(cluster.count("rent 1 of class 0"), 1U);
  cluster.arrive("B");
  EXPECT_EQ(cluster.count("rent 1 of class 0"), 2U);
  EXPECT_EQ(cluster.count("rent"), 2U);
}

TEST(DeadlineCost, RentsForALateJobWhatItsLatenessIsWorth) {
  // With m machines the job ends at 5 + 10 · ⌈100 / m⌉ s, and a second of lateness is 0.1 USD. That
  // makes 20.5 USD with 10 machines, 21.5 with 8, 9, 11, 12 or 13, and more with others.
  FakeCluster cluster = rented_cluster("memory=0, margin=0, spare=0, late=360", {maps("A", 100, 0)});
  cluster.arrive("A");
  EXPECT_EQ(cluster.count("rent 10 of class 0"), 1U);
}

TEST(DeadlineCost, RentsOneMachineWhateverLatenessCosts) {
  FakeCluster cluster = rented_cluster("memory=0, margin=0, spare=0, late=0", {maps("A", 100, 0)});
  cluster.arrive("A");
  EXPECT_EQ(cluster.count("rent 1 of class 0"), 1U) << "without one it never ends";
}

TEST(DeadlineCost, KeepsSpareSlotsForJobsThatCannotWait) {
  // A has time until 900 s and must leave one machine free; B has not time to wait for a boot.
  FakeCluster cluster = rented_cluster("memory=0, margin=0, spare=1, late=100, tardy=100",
                                       {maps("A", 3, 900), maps("B", 1, 21)});
  cluster.arrive("A");
  EXPECT_EQ(cluster.count("rent 2 of class 0"), 1U) << "one for A, one to spare";
  cluster.advance(ms(5000));
  EXPECT_EQ(cluster.fill(Kind::map), "A");
  cluster.advance(ms(5000));
  cluster.arrive("B");
  EXPECT_EQ(cluster.fill(Kind::map), "B");
  EXPECT_EQ(cluster.fill(Kind::map), "");
  EXPECT_EQ(cluster.count("rent"), 1U) << "the slots are there";
}

TEST(DeadlineCost, KeepsMoreSpareMachinesWhereJobsWereLate) {
  FakeCluster cluster =
      rented_cluster("memory=24h, spare=0, late=3600", {maps("A", 2, 10), maps("B", 2, 60)});
  cluster.arrive("A");
  // Two maps of 10 s at once: one machine ends them 10 s late, which is 10 USD, two in time. Both cost less.
  EXPECT_EQ(cluster.count("rent 2 of class 0"), 1U);
  cluster.advance(ms(5000));
  EXPECT_EQ(cluster.fill(Kind::map), "A A");
  cluster.end("A", Kind::map);
  cluster.end("A", Kind::map);
  cluster.advance(ms(3'600'000));
  EXPECT_EQ(cluster.count("give back"), 0U);
}

TEST(DeadlineCost, GivesBackWhatIsNotNeeded) {
  FakeCluster cluster = rented_cluster("memory=0, margin=0, spare=1, late=100, tardy=100", {maps("A", 6, 25)},
                                       Billing::per_second);
  cluster.arrive("A");
  EXPECT_EQ(cluster.count("rent 4 of class 0"), 1U) << "three for A's six maps by 25 s, one to spare";
  cluster.advance(ms(5000));
  EXPECT_EQ(cluster.fill(Kind::map), "A A A");
  while (cluster.running() > 0) {
    cluster.end("A", Kind::map);
    (void)cluster.fill(Kind::map);
  }
  cluster.advance(ms(10'000));
  EXPECT_EQ(cluster.count("give back"), 3U) << "one stays";
}

TEST(DeadlineCost, KeepsAnIdleMachineThatTheReducesNeed) {
  // The second machine has nothing to do until the map has ended. Without it a reduce ends 9 s late.
  FakeCluster cluster = rented_cluster("memory=0, margin=0, spare=0, late=100, tardy=100",
                                       {{.id = "A",
                                         .maps = 1,
                                         .reduces = 2,
                                         .map = ms(10'000),
                                         .reduce = ms(10'000),
                                         .deadline = at_ms(26'000)}},
                                       Billing::per_second);
  cluster.arrive("A");
  EXPECT_EQ(cluster.count("rent 2 of class 0"), 1U);
  cluster.advance(ms(5000));
  EXPECT_EQ(cluster.fill(Kind::map), "A");
  cluster.advance(ms(9000));
  EXPECT_EQ(cluster.count("give back"), 0U);
}

TEST(DeadlineCost, ServesSmallJobsBeforeALateLargeOne) {
  // Without machines to rent it orders jobs only. On one slot A would end at 500 s, far beyond its deadline:
  // it goes after those that end before that, B and C, though its deadline is the first.
  FakeCluster cluster({.nodes = {{.map_slots = 1, .reduce_slots = 1}},
                       .jobs = {maps("A", 50, 20), maps("B", 1, 90), maps("C", 1, 400), maps("D", 1, 600)}},
                      make_policy("deadline-cost", {}, PolicyRegistry(deadline_policies())));
  for (const char* id : {"A", "B", "C", "D"}) cluster.arrive(id);
  EXPECT_EQ(cluster.order(Kind::map), "B C A D");
}

}  // namespace
}  // namespace wavewright
