// Capacity's rule of locality on a scripted cluster: offers that a job lets go are counted.
//
// Five nodes, each a rack of its own. A's blocks lie on node 4: one node and one rack.
#include <gtest/gtest.h>

#include "tests/sched/fake_cluster.h"
#include "wavewright/core/error.h"
#include "wavewright/sched/placers/locality_delay.h"
#include "wavewright/sched/policies/fifo.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright {
namespace {

FakeCluster one_job(const LocalityDelay& delay, Count maps) {
  return FakeCluster(
      {.nodes = std::vector<FakeNode>(5, {.map_slots = 9}),
       .jobs = {{.id = "A",
                 .maps = maps,
                 .blocks = std::vector<std::vector<NodeIndex>>(static_cast<std::size_t>(maps), {4})}}},
      {make_fifo(), make_locality_delay(delay)});
}

// Offers node 0 so often until the job takes it; 99 if it never does.
int offers_until_taken(FakeCluster& cluster) {
  for (int offers = 1; offers < 99; ++offers) {
    if (!cluster.give(Kind::map, 0).empty()) return offers;
  }
  return 99;
}

TEST(LocalityDelayDecisions, ANodeOfTheBlockIsTakenAtOnce) {
  FakeCluster cluster = one_job({}, 3);
  cluster.arrive("A");
  EXPECT_EQ(cluster.give(Kind::map, 4), "A");
}

// min(5 nodes, m maps · 2 places / 5 nodes) offers go, and the next is taken.
TEST(LocalityDelayDecisions, AnyNodeIsTakenAfterAsManyOffersAsMapsWaitInPlaces) {
  for (const auto& [maps, offers] : {std::pair{2, 1}, {3, 2}, {5, 3}, {9, 4}, {20, 6}, {100, 6}}) {
    FakeCluster cluster = one_job({}, maps);
    cluster.arrive("A");
    EXPECT_EQ(offers_until_taken(cluster), offers) << maps;
  }
}

TEST(LocalityDelayDecisions, WithAnAdditionalDelayTheNumberIsFixed) {
  FakeCluster cluster = one_job({.node = 2, .rack_additional = 1}, 9);
  cluster.arrive("A");
  EXPECT_EQ(offers_until_taken(cluster), 4) << "after three that it let go";
  EXPECT_EQ(offers_until_taken(cluster), 1) << "a launch off the rack does not start the count anew";
  EXPECT_EQ(cluster.give(Kind::map, 4), "A");
  EXPECT_EQ(offers_until_taken(cluster), 4) << "a launch on the block's node does";
}

// The third of them is reserved for a map whose block lies elsewhere.
TEST(LocalityDelayDecisions, ANodeWithoutRoomIsAnOpportunityToo) {
  FakeCluster cluster = one_job({.node = 2, .rack_additional = 0}, 9);
  cluster.arrive("A");
  const auto placer = make_locality_delay({.node = 2, .rack_additional = 0});
  const Offer offer{.node = 0, .kind = Kind::map, .at = at_ms(0)};
  EXPECT_TRUE(placer->reserves(offer, 0, Locality::node, cluster)) << "a block is there";
  EXPECT_FALSE(placer->reserves(offer, 0, Locality::off_rack, cluster));
  EXPECT_TRUE(placer->reserves(offer, 0, Locality::off_rack, cluster));
}

TEST(LocalityDelayDecisions, NoDelayIsLongerThanTheClusterHasNodes) {
  FakeCluster cluster = one_job({.node = 40, .rack_additional = 40}, 9);
  cluster.arrive("A");
  EXPECT_EQ(offers_until_taken(cluster), 6);
}

TEST(LocalityDelayDecisions, JobsWithoutPlacesDoNotWait) {
  FakeCluster cluster({.nodes = {{.map_slots = 1}}, .jobs = {{.id = "A", .maps = 1}}},
                      {make_fifo(), make_locality_delay({})});
  cluster.arrive("A");
  EXPECT_EQ(cluster.give(Kind::map, 0), "A");
}

TEST(LocalityDelayDecisions, BelongToCapacityWhereContainersAndPlacesAreKnown) {
  const auto placer = [](const std::string& policy, bool containers, bool places) {
    const Policy made = make_policy(policy, {.containers = containers, .places = places});
    return made.placer ? made.name() + " by " + made.placer->name() : made.name();
  };
  EXPECT_EQ(placer("capacity", true, true), "capacity by capacity");
  EXPECT_EQ(placer("capacity", true, false), "capacity");
  EXPECT_EQ(placer("capacity", false, true), "capacity");
  EXPECT_EQ(placer("capacity(node_locality_delay=off)", true, true), "capacity");
  EXPECT_EQ(placer("capacity+delay(40s)", true, true), "capacity+delay by delay");
}

std::string complaint(const std::string& policy) {
  try {
    (void)make_policy(policy);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(LocalityDelayDecisions, SecondsAreNotTakenForOffers) {
  EXPECT_EQ(
      complaint("capacity+delay(40)"),
      "policy 'delay': the node is '40', not a time with its unit; give 40s, or count offers as Capacity "
      "does: capacity(node_locality_delay=40)");
  EXPECT_EQ(complaint("fifo+delay(40)"), "");
  EXPECT_EQ(complaint("capacity+delay(40s)"), "");
  EXPECT_EQ(
      complaint("capacity(node_locality_delay=5)+delay(40s)"),
      "policy 'capacity' has locality delays, and a placer besides; leave one of them out: only the placer "
      "would count");
  EXPECT_EQ(
      complaint("capacity(node_locality_delay=-1)"),
      "policy 'capacity': node_locality_delay is '-1', not a whole number from 0 or off; give a whole number "
      "from 0 or off");
}

}  // namespace
}  // namespace wavewright
