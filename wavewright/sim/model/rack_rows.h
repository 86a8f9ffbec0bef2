// The blocks of one job, those of each rack in a row of their own, in order of task. Where rows are short,
// one look at a few neighbours tells what is closest to a node, on the node itself and in its rack.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "wavewright/cluster/topology.h"
#include "wavewright/sim/model/blocks.h"

namespace wavewright::sim {

class RackRows {
 public:
  struct Found {
    std::optional<std::uint32_t> on_node;  // the lowest-numbered task there that is not taken
    std::optional<std::uint32_t> in_rack;  // likewise, unless there is one on the node
  };
  using Taken = std::vector<std::uint8_t>;  // by task

  // Rows of the tasks that are not taken; false, and none are made, where one were long or there are more
  // racks than is worth it. O(blocks).
  bool make(const Blocks& blocks, const Topology& topology, const Taken& taken);
  [[nodiscard]] bool made() const { return !rows_.empty(); }

  // Those of the node and of its rack.
  [[nodiscard]] Found find(NodeIndex node, std::uint32_t rack, const Taken& taken);

 private:
  struct Block {
    NodeIndex node = 0;
    std::uint32_t task = 0;
  };
  struct Row {
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
  };
  void tidy(Row& row, const Taken& taken);

  std::vector<Row> rows_;  // by rack
  std::vector<Block> blocks_;
};

}  // namespace wavewright::sim
