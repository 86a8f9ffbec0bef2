#include "wavewright/cluster/block_placement.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace wavewright {

namespace {

using Nodes = std::span<const std::uint32_t>;

bool holds(Nodes chosen, std::uint32_t node) {
  return std::find(chosen.begin(), chosen.end(), node) != chosen.end();
}

// Draws a node that is not chosen yet and `fits`, out of node_at(0) to node_at(count − 1); none if there is
// no such node. First a few random tries; if they fail, a draw from the list of all such nodes.
template <class NodeAt, class Fits>
std::optional<std::uint32_t> draw(SplitMix& random, std::size_t count, Nodes chosen, NodeAt node_at,
                                  Fits fits) {
  constexpr int tries = 20;
  for (int i = 0; i < tries && count > 0; ++i) {
    const std::uint32_t node = node_at(random.below(count));
    if (!holds(chosen, node) && fits(node)) return node;
  }
  std::vector<std::uint32_t> left;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t node = node_at(i);
    if (!holds(chosen, node) && fits(node)) left.push_back(node);
  }
  if (left.empty()) return std::nullopt;
  return left[random.below(left.size())];
}

}  // namespace

BlockPlacement::BlockPlacement(const Topology& topology, const Hdfs& hdfs)
    : topology_(topology),
      copies_(std::min(static_cast<std::size_t>(hdfs.replication), topology.names.size())) {
  if (hdfs.skew <= 0) return;
  double sum = 0;
  for (std::size_t node = 0; node < topology.names.size(); ++node) {
    sum += std::pow(static_cast<double>(node + 1), -hdfs.skew);
    cumulative_.push_back(sum);
  }
}

std::uint32_t BlockPlacement::writer(SplitMix& random) const {
  if (cumulative_.empty()) return static_cast<std::uint32_t>(random.below(topology_.names.size()));
  const double drawn = random.unit() * cumulative_.back();
  const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end(), drawn);
  return static_cast<std::uint32_t>(
      std::min(static_cast<std::size_t>(found - cumulative_.begin()), cumulative_.size() - 1));
}

void BlockPlacement::place(SplitMix& random, std::span<std::uint32_t> nodes) const {
  const auto any = [](std::size_t index) { return static_cast<std::uint32_t>(index); };
  const auto all = [](std::uint32_t) { return true; };
  for (std::size_t copy = 0; copy < copies_; ++copy) {
    const Nodes chosen = nodes.first(copy);
    std::optional<std::uint32_t> node;
    if (copy == 0) {
      node = writer(random);
    } else if (copy == 1 && topology_.racks.size() > 1) {
      const std::uint32_t rack = topology_.rack[chosen[0]];
      node = draw(random, topology_.names.size(), chosen, any,
                  [&](std::uint32_t each) { return topology_.rack[each] != rack; });
    } else if (copy == 2) {
      const std::vector<std::uint32_t>& rack = topology_.members[topology_.rack[chosen[1]]];
      node = draw(random, rack.size(), chosen, [&](std::size_t index) { return rack[index]; }, all);
    }
    if (!node) node = draw(random, topology_.names.size(), chosen, any, all);
    nodes[copy] = *node;
  }
}

}  // namespace wavewright
