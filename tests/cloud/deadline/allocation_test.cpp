// Which slots jobs get under ndasa, mdasa and evedf.
#include <gmock/gmock.h>

#include "tests/sched/fake_cluster.h"
#include "wavewright/cloud/deadline/policies.h"
#include "wavewright/cloud/deadline/slot_plan.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

// One node of one map and one reduce slot; nine machines of two and one that boot for 5 s. A and B have ten
// maps of 10 s. By the middle of the bounds k slots take (100/k + 90/k + 10) / 2 s: 24 s with five, 52.5 s
// with two.
FakeCluster rented_cluster(const std::string& policy) {
  FakeClass rented{.machine = {.map_slots = 2, .reduce_slots = 1}};
  rented.offer.machines = 9;
  rented.offer.boot = ms(5000);
  return {{.nodes = {{.map_slots = 1, .reduce_slots = 1}},
           .jobs = {{.id = "A", .maps = 10, .map = ms(10'000), .deadline = at_ms(30'000)},
                    {.id = "B", .maps = 10, .map = ms(10'000), .deadline = at_ms(100'000)}},
           .classes = {rented}},
          make_policy(policy, {}, PolicyRegistry(deadline_policies()))};
}

TEST(Ndasa, HoldsTheSlotsThatAJobNeedsAndRentsThoseThatLack) {
  FakeCluster cluster = rented_cluster("ndasa(machines=on-demand)");
  cluster.arrive("A");
  EXPECT_EQ(cluster.count("cap A map"), 1U);
  EXPECT_EQ(cluster.count("rent 2 of class 0"), 1U) << "five slots are needed, one is idle";
  cluster.advance(ms(5000));
  cluster.arrive("B");
  EXPECT_EQ(cluster.count("rent 1 of class 0"), 1U) << "two slots, though A's would be free in time";
  cluster.advance(ms(5000));
  EXPECT_EQ(cluster.fill(Kind::map), "A A A A A B B");
}

TEST(Mdasa, TakesBusySlotsBeforeItRents) {
  FakeCluster cluster = rented_cluster("mdasa(machines=on-demand)");
  cluster.arrive("A");
  // The one slot ends three maps by 30 s. Seven are left, but five slots are enough for the job.
  EXPECT_EQ(cluster.count("rent 2 of class 0"), 1U);
  cluster.advance(ms(5000));
  EXPECT_EQ(cluster.fill(Kind::map), "A A A A A");
  cluster.arrive("B");
  EXPECT_EQ(cluster.count("rent"), 1U) << "five slots are free of A's maps at 30 s or before";
}

TEST(Mdasa, LooksOnlySoFarAhead) {
  // At 5 s a tenth of the time until B's deadline ends at 14.5 s; the slots are busy until 15 s.
  FakeCluster cluster = rented_cluster("mdasa(ahead=10%, machines=on-demand)");
  cluster.arrive("A");
  const std::size_t before = cluster.count("rent");
  cluster.advance(ms(5000));
  while (!cluster.fill(Kind::map).empty()) {
  }
  cluster.arrive("B");
  EXPECT_EQ(cluster.count("rent"), before + 1);
}

TEST(Evedf, LetsJobsWaitUntilTheClusterIsLittleUsed) {
  FakeCluster cluster = rented_cluster("evedf(utilisation=40%, load=0)");
  cluster.arrive("A");
  EXPECT_EQ(cluster.fill(Kind::map), "A");
  cluster.arrive("B");
  EXPECT_EQ(cluster.standing_of("B"), "waiting") << "one of two slots is in use";
  cluster.end("A", Kind::map);
  EXPECT_EQ(cluster.standing_of("B"), "admitted");
  EXPECT_EQ(cluster.order(Kind::map), "A B");
}

TEST(SlotPlan, PlacesTasksOnIdleSlotsAndThenWhereTheyEndInTime) {
  SlotPlan plan;
  plan.refresh(at_ms(0), 3, {at_ms(10'000)});
  // Two idle slots take one task each; then all three are free at 10 s, and each could end two by 30 s.
  SlotPlan::Taken taken = plan.place(7, ms(10'000), at_ms(30'000), at_ms(30'000));
  EXPECT_EQ(taken.idle, 2);
  EXPECT_EQ(taken.tasks, 7);
  // What was promised stands though only one slot is busy: they are free at 20, 30 and 30 s.
  plan.refresh(at_ms(0), 3, {at_ms(10'000)});
  taken = plan.place(5, ms(10'000), at_ms(30'000), at_ms(30'000));
  EXPECT_EQ(taken.idle, 0);
  EXPECT_EQ(taken.tasks, 1);
  // None ends a task by 39.999 s, or is free by 29.999 s.
  plan.refresh(at_ms(0), 3, {});
  EXPECT_EQ(plan.place(5, ms(10'000), at_ms(39'999), at_ms(90'000)).tasks, 0);
  EXPECT_EQ(plan.place(5, ms(10'000), at_ms(90'000), at_ms(29'999)).tasks, 0);
}

}  // namespace
}  // namespace wavewright
