// A small job's blocks are looked at, a large one's are sorted: both name the same tasks.
#include "wavewright/sim/nodes/local_tasks.h"
#include "tests/property.h"

namespace wavewright::sim {
namespace {

TEST(LocalTasks, AreTheSameWithAndWithoutAnIndex) {
  holds_always([] {
    Cluster cluster;
    for (int rack = 0; rack < 3; ++rack) {
      NodeGroup group;
      group.count = *rc::gen::inRange(1, 4);
      group.rack = fmt::format("/r{}", rack);
      cluster.nodes.push_back(group);
    }
    const Topology topology = expand(cluster);
    Blocks blocks;
    blocks.first.push_back(0);
    const auto maps = *rc::gen::inRange<std::uint32_t>(1, 40);
    for (std::uint32_t map = 0; map < maps; ++map) {
      for (int copies = *rc::gen::inRange(1, 4); copies > 0; --copies)
        blocks.nodes.push_back(*rc::gen::inRange<NodeIndex>(0, topology.size()));
      blocks.first.push_back(static_cast<std::uint32_t>(blocks.nodes.size()));
    }
    LocalTasks scanned(blocks, topology, 1'000'000), indexed(blocks, topology, 0);
    std::vector<std::uint32_t> taken;
    for (int i = 0; i < 60; ++i) {
      const auto node = *rc::gen::inRange<NodeIndex>(0, topology.size());
      const auto at_most = *rc::gen::element(Locality::node, Locality::rack, Locality::off_rack);
      const auto a = scanned.closest(node, at_most), b = indexed.closest(node, at_most);
      RC_ASSERT(a.has_value() == b.has_value());
      if (a) {
        RC_ASSERT(a->task == b->task);
        RC_ASSERT(a->locality == b->locality);
        RC_ASSERT(a->locality == scanned.locality(a->task, node));
        scanned.take(a->task);
        indexed.take(a->task);
        taken.push_back(a->task);
      }
      if (!taken.empty() && *rc::gen::inRange(0, 4) == 0) {
        scanned.give_back(taken.back());
        indexed.give_back(taken.back());
        taken.pop_back();
      }
    }
  });
}

}  // namespace
}  // namespace wavewright::sim
