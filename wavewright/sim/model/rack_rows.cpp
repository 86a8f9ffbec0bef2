#include "wavewright/sim/model/rack_rows.h"

#include <algorithm>
#include <utility>

namespace wavewright::sim {

bool RackRows::make(const Blocks& blocks, const Topology& topology, const Taken& taken) {
  constexpr std::size_t few_racks = 4;  // per block
  constexpr std::uint32_t longest = 64;
  rows_.clear();
  if (topology.racks.size() > few_racks * blocks.nodes.size()) return false;
  rows_.resize(topology.racks.size());
  for (const NodeIndex node : blocks.nodes) ++rows_[topology.rack[node]].count;
  std::uint32_t begin = 0;
  for (Row& row : rows_) {
    if (row.count > longest) {
      rows_.clear();
      return false;
    }
    row.begin = begin;
    begin += std::exchange(row.count, 0);
  }
  blocks_.resize(blocks.nodes.size());
  for (std::uint32_t task = 0; task < blocks.maps(); ++task) {
    if (taken[task] != 0) continue;
    for (const NodeIndex node : blocks.of(task)) {
      Row& row = rows_[topology.rack[node]];
      blocks_[row.begin + row.count++] = {node, task};
    }
  }
  return true;
}

RackRows::Found RackRows::find(NodeIndex node, std::uint32_t rack, const Taken& taken) {
  Row& row = rows_[rack];
  Found found;
  std::uint32_t gone = 0;
  for (std::uint32_t i = 0; i < row.count; ++i) {
    const Block& block = blocks_[row.begin + i];
    if (taken[block.task] != 0) {
      ++gone;
    } else if (block.node == node) {
      found.on_node = block.task;
      break;
    } else if (!found.in_rack) {
      found.in_rack = block.task;
    }
  }
  if (gone > 2) tidy(row, taken);
  return found;
}

// Removes taken tasks.
void RackRows::tidy(Row& row, const Taken& taken) {
  const auto begin = blocks_.begin() + row.begin;
  const auto end =
      std::remove_if(begin, begin + row.count, [&](const Block& block) { return taken[block.task] != 0; });
  row.count = static_cast<std::uint32_t>(end - begin);
}

}  // namespace wavewright::sim
