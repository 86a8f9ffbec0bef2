// Nodes one by one, and where HDFS's rule puts the copies of a block.
#include <set>

#include "tests/property.h"
#include "wavewright/cluster/block_placement.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

Cluster racks_of(std::vector<int> sizes) {
  Cluster cluster;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    NodeGroup group;
    group.count = sizes[i];
    group.rack = fmt::format("/rack{}", i);
    cluster.nodes.push_back(group);
  }
  return cluster;
}

TEST(Topology, NumbersNodesInTheFilesOrder) {
  Cluster cluster = racks_of({2, 3});
  cluster.nodes[1].hosts = {"x", "y", "z"};
  cluster.nodes[1].node_class = "gpu";
  const Topology topology = expand(cluster);
  EXPECT_EQ(topology.names, (std::vector<std::string>{"node1", "node2", "x", "y", "z"}));
  EXPECT_EQ(topology.rack, (std::vector<std::uint32_t>{0, 0, 1, 1, 1}));
  EXPECT_EQ(topology.members[1], (std::vector<std::uint32_t>{2, 3, 4}));
  EXPECT_EQ(topology.classes, (std::vector<std::string>{"default", "gpu"}));
  cluster.nodes[1].hosts = {"x", "y", "x"};
  EXPECT_THROW((void)expand(cluster), InputError);
}

TEST(BlockPlacement, PutsTheSecondCopyInAnotherRackAndTheThirdBesideIt) {
  holds_always([] {
    const Topology topology = expand(racks_of({*rc::gen::inRange(2, 6), *rc::gen::inRange(2, 6), 3}));
    const BlockPlacement placement(topology, {});
    SplitMix random(*rc::gen::inRange<std::uint64_t>(0, 1000));
    std::vector<std::uint32_t> copies(placement.copies());
    placement.place(random, copies);
    RC_ASSERT(copies.size() == 3U);
    RC_ASSERT(topology.rack[copies[0]] != topology.rack[copies[1]]);
    RC_ASSERT(topology.rack[copies[1]] == topology.rack[copies[2]]);
    RC_ASSERT(copies[1] != copies[2]);
  });
}

TEST(BlockPlacement, NeverUsesANodeTwiceHoweverFewThereAre) {
  holds_always([] {
    std::vector<int> sizes(*rc::gen::inRange<std::size_t>(1, 4));
    for (int& size : sizes) size = *rc::gen::inRange(1, 3);
    const Topology topology = expand(racks_of(sizes));
    Hdfs hdfs;
    hdfs.replication = *rc::gen::inRange(1, 9);
    const BlockPlacement placement(topology, hdfs);
    RC_ASSERT(placement.copies() ==
              std::min<std::size_t>(static_cast<std::size_t>(hdfs.replication), topology.size()));
    SplitMix random(*rc::gen::inRange<std::uint64_t>(0, 1000));
    std::vector<std::uint32_t> copies(placement.copies());
    placement.place(random, copies);
    RC_ASSERT(std::set<std::uint32_t>(copies.begin(), copies.end()).size() == copies.size());
  });
}

TEST(BlockPlacement, SkewMakesTheFirstNodesWriteMore) {
  const Topology topology = expand(racks_of({10}));
  const auto first_node_writes = [&](double skew) {
    Hdfs hdfs;
    hdfs.skew = skew;
    const BlockPlacement placement(topology, hdfs);
    SplitMix random(1);
    std::vector<std::uint32_t> copies(placement.copies());
    int count = 0;
    for (int i = 0; i < 10'000; ++i) {
      placement.place(random, copies);
      if (copies[0] == 0) ++count;
    }
    return count;
  };
  EXPECT_NEAR(first_node_writes(0), 1000, 150);
  EXPECT_NEAR(first_node_writes(1), 10'000 / 2.929, 200);  // harmonic number of 10
}

}  // namespace
}  // namespace wavewright
