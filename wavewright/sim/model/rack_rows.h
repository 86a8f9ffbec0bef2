// The blocks of one job, one row per rack, in order of task. In a short row, one scan finds the task that is
// closest to a node: on the node itself, or in its rack.
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
    std::optional<std::uint32_t> on_node;  // the lowest-numbered task on the node that is not taken
    std::optional<std::uint32_t> in_rack;  // likewise in its rack; only valid if there is none on the node
  };
  using Taken = std::vector<std::uint8_t>;  // by task

  // Makes rows of tasks that are not taken; none, and false, if a row is long or racks are many. O(blocks).
  bool make(const Blocks& blocks, const Topology& topology, const Taken& taken);
  [[nodiscard]] bool made() const { return !rows_.empty(); }

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
