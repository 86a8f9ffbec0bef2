// The closest task, against a look at every block of every task that is left.
#include "wavewright/sim/model/local_tasks.h"
#include "tests/property.h"

namespace wavewright::sim {
namespace {

std::optional<LocalTasks::Choice> looked_up(const LocalTasks& tasks, const std::vector<bool>& taken,
                                            NodeIndex node, Locality at_most) {
  std::optional<LocalTasks::Choice> best;
  for (std::uint32_t task = 0; task < taken.size(); ++task) {
    const Locality lies = tasks.locality(task, node);
    if (!taken[task] && lies <= at_most && (!best || lies < best->locality))
      best = LocalTasks::Choice{task, lies};
  }
  return best;
}

TEST(LocalTasks, NameTheLowestOfTheClosest) {
  holds_always([] {
    Cluster cluster;
    const auto racks = *rc::gen::inRange(1, 6);
    for (int rack = 0; rack < racks; ++rack) {
      NodeGroup group;
      group.count = *rc::gen::inRange(1, 5);
      group.rack = fmt::format("/r{}", rack);
      cluster.nodes.push_back(group);
    }
    const Topology topology = expand(cluster);
    Blocks blocks;
    blocks.first.push_back(0);
    const auto maps = *rc::gen::inRange<std::uint32_t>(1, 60);
    for (std::uint32_t map = 0; map < maps; ++map) {
      for (int copies = *rc::gen::inRange(1, 4); copies > 0; --copies)
        blocks.nodes.push_back(*rc::gen::inRange<NodeIndex>(0, topology.size()));
      blocks.first.push_back(static_cast<std::uint32_t>(blocks.nodes.size()));
    }
    LocalTasks tasks(blocks, topology);
    std::vector<bool> taken(maps);
    for (int i = 0; i < 90; ++i) {
      const auto node = *rc::gen::inRange<NodeIndex>(0, topology.size());
      const auto at_most = *rc::gen::element(Locality::node, Locality::rack, Locality::off_rack);
      const auto expected = looked_up(tasks, taken, node, at_most);
      const auto found = tasks.closest(node, at_most);
      RC_ASSERT(found.has_value() == expected.has_value());
      if (found) {
        RC_ASSERT(found->task == expected->task);
        RC_ASSERT(found->locality == expected->locality);
        tasks.take(found->task);
        taken[found->task] = true;
      }
      const auto again = *rc::gen::inRange<std::uint32_t>(0, maps);
      if (taken[again] && *rc::gen::inRange(0, 4) == 0) {
        tasks.give_back(again);
        taken[again] = false;
      }
      RC_ASSERT(tasks.has(again) == !taken[again]);
    }
  });
}

}  // namespace
}  // namespace wavewright::sim
