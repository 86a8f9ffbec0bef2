// When machines are there and what they cost, worked out by hand.
#include "wavewright/cluster/presence.h"

#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

constexpr std::int64_t hour = 3'600'000;

NodeGroup spot_group() {
  NodeGroup group;
  group.price_per_hour = 1;
  group.spot = {{at_ms(hour), 0.2}, {at_ms(2 * hour), 0.5}, {at_ms(3 * hour), 0.3}, {at_ms(4 * hour), 0.1}};
  return group;
}

TEST(Presence, IsForGoodWithoutAScheduleOrABid) {
  EXPECT_EQ(stays_of({}), std::vector<Stay>{Stay{}});
  EXPECT_EQ(stays_of(spot_group()), std::vector<Stay>{Stay{}});
}

TEST(Presence, LeavesOutWhatIsAboveTheBid) {
  NodeGroup group = spot_group();
  group.bid = 0.3;
  const std::vector<Stay> expected = {{at_ms(hour), at_ms(2 * hour)}, {at_ms(3 * hour), {}}};
  EXPECT_EQ(stays_of(group), expected);
  group.join = at_ms(hour + hour / 2);
  group.leave = at_ms(3 * hour + 1);
  const std::vector<Stay> cut = {{at_ms(hour + hour / 2), at_ms(2 * hour)},
                                 {at_ms(3 * hour), at_ms(3 * hour + 1)}};
  EXPECT_EQ(stays_of(group), cut);
  group.bid = 0.01;
  EXPECT_TRUE(stays_of(group).empty());
}

TEST(Presence, CostsItsPriceWhileItIsThere) {
  NodeGroup group = spot_group();
  EXPECT_DOUBLE_EQ(cost_of(group, at_ms(5 * hour)), 1 + 0.2 + 0.5 + 0.3 + 0.1);
  EXPECT_DOUBLE_EQ(cost_of(group, at_ms(hour + hour / 2)), 1 + 0.1);
  group.bid = 0.3;
  EXPECT_DOUBLE_EQ(cost_of(group, at_ms(5 * hour)), 0.2 + 0.3 + 0.1);
  group.leave = at_ms(3 * hour + hour / 2);
  EXPECT_DOUBLE_EQ(cost_of(group, at_ms(5 * hour)), 0.2 + 0.15);
}

TEST(Presence, LastsFromOneInstantToAnother) {
  NodeGroup group = spot_group();
  group.bid = 0.3;  // away in the first hour and in the third
  EXPECT_EQ(time_there(group, at_ms(0), at_ms(5 * hour)), ms(3 * hour));
  EXPECT_EQ(time_there(group, at_ms(hour + 1), at_ms(3 * hour + 1)), ms(hour));
  EXPECT_EQ(time_there(group, at_ms(2 * hour), at_ms(3 * hour)), ms(0));
}

TEST(Presence, IsReadAndWrittenBack) {
  const std::string text =
      "[[nodes]]\nmap_slots = 1\nprice_per_hour = 1\njoin_ms = 5\nleave_ms = 900\nspot = [[0, 0.1], [7, "
      "2]]\nbid = "
      "0.5\n";
  const Cluster cluster = parse_cluster(text, "c.toml");
  const Cluster again = parse_cluster(to_toml(cluster), "again.toml");
  for (const Cluster& each : {cluster, again}) {
    const NodeGroup& group = each.nodes.at(0);
    EXPECT_EQ(group.join, at_ms(5));
    EXPECT_EQ(group.leave, at_ms(900));
    EXPECT_EQ(group.spot, (std::vector<SpotPrice>{{at_ms(0), 0.1}, {at_ms(7), 2}}));
    EXPECT_EQ(group.bid, 0.5);
  }
  for (const char* wrong :
       {"leave_ms = 0", "spot = 3", "spot = [[0]]", "spot = [[7, 1], [7, 2]]", "spot = [[-1, 1]]",
        "spot = [[0, -1]]", "spot = [[0, nan]]", "bid = 0.5", "spot = [[0.5, 1]]"}) {
    EXPECT_THROW((void)parse_cluster("[[nodes]]\nmap_slots = 1\n" + std::string(wrong) + "\n", "c.toml"),
                 InputError)
        << wrong;
  }
}

TEST(Presence, IsAwayBetweenStaysAndInOutages) {
  Cluster cluster;
  cluster.nodes = {spot_group(), {}};
  cluster.nodes[0].bid = 0.3;  // there from 1 to 2 h and from 3 h on
  cluster.nodes[1].count = 2;
  cluster.nodes[1].leave = at_ms(5 * hour);
  cluster.outages = {{"node2", at_ms(2 * hour), at_ms(3 * hour)},
                     {"node2", at_ms(hour), at_ms(2 * hour + 1)},
                     {"node3", at_ms(4 * hour), {}},
                     {"node3", at_ms(6 * hour), at_ms(7 * hour)}};
  const auto absences = absences_of(cluster, expand(cluster));
  const std::vector<Stay> spot = {{at_ms(0), at_ms(hour)}, {at_ms(2 * hour), at_ms(3 * hour)}};
  const std::vector<Stay> joined = {{at_ms(hour), at_ms(3 * hour)}, {at_ms(5 * hour), {}}};
  EXPECT_EQ(absences, (std::vector<std::vector<Stay>>{spot, joined, {{at_ms(4 * hour), {}}}}));
}

TEST(Presence, IsNeverAwayWithoutReason) {
  Cluster cluster;
  cluster.nodes.resize(2);
  EXPECT_EQ(absences_of(cluster, expand(cluster)), std::vector<std::vector<Stay>>(2));
  cluster.nodes[1] = spot_group();
  cluster.nodes[1].bid = 0.01;
  EXPECT_EQ(absences_of(cluster, expand(cluster))[1], (std::vector<Stay>{Stay{}}));
}

}  // namespace
}  // namespace wavewright
