// Where the blocks of one job's maps lie.
#pragma once

#include <span>
#include <vector>

#include "wavewright/sched/policy.h"

namespace wavewright::sim {

// The nodes that hold each map's block, one map's after the other. Empty where maps have no places.
struct Blocks {
  std::vector<NodeIndex> nodes;
  std::vector<std::uint32_t> first;  // by map, and one more: where its nodes begin

  [[nodiscard]] bool empty() const { return first.empty(); }
  [[nodiscard]] std::uint32_t maps() const {
    return first.empty() ? 0 : static_cast<std::uint32_t>(first.size() - 1);
  }
  [[nodiscard]] std::span<const NodeIndex> of(std::size_t map) const {
    return std::span(nodes).subspan(first[map], first[map + 1] - first[map]);
  }
};

}  // namespace wavewright::sim
