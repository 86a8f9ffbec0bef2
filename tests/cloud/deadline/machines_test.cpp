// What a deadline policy rents and when it gives machines back, on the fake cluster.
#include <gmock/gmock.h>

#include "tests/sched/fake_cluster.h"
#include "wavewright/cloud/deadline/policies.h"
#include "wavewright/core/error.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

Policy policy(const std::string& text) {
  return make_policy(text, {}, PolicyRegistry(deadline_policies()));
}

// One node of one map slot and one reduce slot, and nine machines of two and one that boot for 5 s at 1 USD
// an hour.
FakeSetup cloud(std::vector<FakeJob> jobs, std::optional<double> spot = std::nullopt) {
  FakeClass rented{.machine = {.map_slots = 2, .reduce_slots = 1}};
  rented.offer.machines = 9;
  rented.offer.machine = {.map_slots = 2, .reduce_slots = 1};
  rented.offer.boot = ms(5000);
  rented.offer.on_demand_per_hour = from_usd(1);
  if (spot) rented.offer.spot = from_usd(*spot);
  return {.nodes = {{.map_slots = 1, .reduce_slots = 1}}, .jobs = std::move(jobs), .classes = {rented}};
}

// Ten maps of 10 s with 25 s left after boot. By the middle of the bounds k slots take (100/k + 90/k + 10) /
// 2 s: 28.75 s with four, 24 s with five.
FakeJob ten_maps(const std::string& id = "A") {
  return {.id = id, .maps = 10, .map = ms(10'000), .deadline = at_ms(30'000)};
}

TEST(RentedMachines, CoverTheSlotsThatLack) {
  FakeCluster cluster(cloud({ten_maps()}), policy("edf(machines=on-demand)"));
  cluster.arrive("A");
  EXPECT_EQ(cluster.count("rent 2 of class 0"), 1U) << "five slots are needed, one is there";
  cluster.advance(ms(5000));
  EXPECT_EQ(cluster.slots(Kind::map), 5U);
}

TEST(RentedMachines, AreLimited) {
  FakeCluster cluster(cloud({ten_maps()}), policy("edf(machines=on-demand, most=1)"));
  cluster.arrive("A");
  EXPECT_EQ(cluster.count("rent 1 of class 0"), 1U);
  EXPECT_EQ(cluster.count("rent"), 1U);
}

TEST(RentedMachines, GoBackWhenTheyAreIdleForTheTimeGiven) {
  FakeCluster cluster(cloud({ten_maps()}), policy("edf(machines=on-demand, idle=20s)"));
  cluster.arrive("A");
  cluster.advance(ms(5000));
  EXPECT_EQ(cluster.fill(Kind::map), "A A A A A");
  while (cluster.running() > 0) {
    cluster.end("A", Kind::map);
    (void)cluster.fill(Kind::map);
  }
  EXPECT_EQ(cluster.standing_of("A"), "finished");
  cluster.advance(ms(19'999));
  EXPECT_EQ(cluster.count("give back"), 0U);
  cluster.advance(ms(1));
  EXPECT_EQ(cluster.count("give back"), 2U);
}

TEST(RentedMachines, StayToTheEndOfThePaidHour) {
  FakeCluster cluster(cloud({ten_maps()}), policy("edf(machines=on-demand, idle=hour)"));
  cluster.arrive("A");
  cluster.advance(ms(5000));
  (void)cluster.fill(Kind::map);
  while (cluster.running() > 0) {
    cluster.end("A", Kind::map);
    (void)cluster.fill(Kind::map);
  }
  cluster.advance(ms(3'599'998));
  EXPECT_EQ(cluster.count("give back"), 0U);
  cluster.advance(ms(1));  // it leaves at the next instant, an hour after it joined
  EXPECT_EQ(cluster.count("give back"), 2U);
}

TEST(RentedMachines, StayWhileTheyAreNeeded) {
  // Maps are still to come when the machines are idle: nothing starts here.
  FakeCluster cluster(cloud({ten_maps()}), policy("edf(machines=on-demand, idle=1s)"));
  cluster.arrive("A");
  cluster.advance(ms(100'000));
  EXPECT_EQ(cluster.count("give back"), 0U);
}

TEST(RentedMachines, StayUntilTheReducesHaveReadTheirMaps) {
  // Maps end on both rented machines. The reduce then runs on the node that stays.
  FakeJob job = ten_maps();
  job.reduces = 1;
  job.deadline = at_ms(32'000);
  FakeCluster cluster(cloud({job}), policy("edf(machines=on-demand, idle=1s)"));
  cluster.arrive("A");
  cluster.advance(ms(5000));
  for (std::string started = cluster.fill(Kind::map); !started.empty(); started = cluster.fill(Kind::map)) {
    while (cluster.running() > 0) cluster.end("A", Kind::map);
  }
  cluster.start("A", Kind::reduce, 0);
  cluster.advance(ms(60'000));
  EXPECT_EQ(cluster.count("give back"), 0U);
  cluster.end("A", Kind::reduce);
  cluster.advance(ms(1000));
  EXPECT_GE(cluster.count("give back"), 2U);
}

TEST(RentedMachines, AreBidForWhereTheMarketIsSpotOrCheaper) {
  const auto rents = [](const std::string& machines, double spot) {
    FakeCluster cluster(cloud({ten_maps()}, spot), policy("edf(machines=" + machines + ")"));
    cluster.arrive("A");
    for (const std::string& line : cluster.decisions()) {
      if (line.starts_with("rent")) return line;
    }
    return std::string();
  };
  const std::string on_demand = "rent 2 of class 0";
  EXPECT_EQ(rents("on-demand", 0.4), on_demand);
  EXPECT_EQ(rents("spot", 0.4), on_demand + " for at most 1000000");
  EXPECT_EQ(rents("hybrid", 0.4), on_demand + " for at most 1000000");
  EXPECT_EQ(rents("hybrid", 1.2), on_demand) << "the price is above the bid, which is the price on demand";
  EXPECT_EQ(rents("spot", 1.2), "");
  EXPECT_EQ(rents("hybrid, bid=0.3", 0.4), on_demand);
  EXPECT_EQ(rents("hybrid, bid=2", 0.4), on_demand) << "such a bid is above the price on demand";
  EXPECT_EQ(rents("spot, bid=2", 1.2), on_demand + " for at most 2000000");
}

TEST(RentedMachines, MustBeOffered) {
  FakeSetup none = cloud({ten_maps()});
  none.classes[0].offer.machines = 0;
  EXPECT_THROW(FakeCluster(none, policy("edf(machines=on-demand)")), UsageError);
  EXPECT_THROW(FakeCluster(cloud({ten_maps()}), policy("edf(machines=spot)")), UsageError)
      << "no spot prices";
  EXPECT_THROW(FakeCluster(cloud({ten_maps()}), policy("edf(machines=on-demand, class=big)")), UsageError);
}

}  // namespace
}  // namespace wavewright
