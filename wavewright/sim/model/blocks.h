// Blocks that the maps of one job read.
#pragma once

#include <span>
#include <vector>

#include "wavewright/sched/policy.h"

namespace wavewright::sim {

// The nodes that hold each map's block, map after map. Empty if maps have no block places.
struct Blocks {
  std::vector<NodeIndex> nodes;
  std::vector<std::uint32_t> first;  // by map, plus an end: index of its first node

  [[nodiscard]] bool empty() const { return first.empty(); }
  [[nodiscard]] std::uint32_t maps() const {
    return first.empty() ? 0 : static_cast<std::uint32_t>(first.size() - 1);
  }
  [[nodiscard]] std::span<const NodeIndex> of(std::size_t map) const {
    return std::span(nodes).subspan(first[map], first[map + 1] - first[map]);
  }
};

}  // namespace wavewright::sim
