// Chooses the nodes of a block's replicas by HDFS's default rule [UNL §2.2.1; Hadoop's
// BlockPlacementPolicyDefault]: first the node that writes the block, second a node of another rack, third
// another node of the second's rack, then any nodes; no node twice. If a rule cannot hold (one rack, a rack
// of one node), any other node is chosen. There are never more replicas than nodes.
#pragma once

#include <span>
#include <vector>

#include "wavewright/cluster/topology.h"
#include "wavewright/core/random.h"

namespace wavewright {

class BlockPlacement {
 public:
  // The topology must outlive it. O(nodes).
  BlockPlacement(const Topology& topology, const Hdfs& hdfs);

  [[nodiscard]] std::size_t copies() const { return copies_; }  // of each block

  // Fills `nodes` (copies() long); expected O(copies²), at worst O(nodes).
  void place(SplitMix& random, std::span<std::uint32_t> nodes) const;

 private:
  [[nodiscard]] std::uint32_t writer(SplitMix& random) const;

  const Topology& topology_;
  std::size_t copies_;
  std::vector<double> cumulative_;  // of the writers' frequencies; empty = all equal
};

}  // namespace wavewright
