// The nodes with blocks of a job's maps, and which maps these are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "wavewright/sched/view.h"

namespace wavewright {

class BlocksByNode {
 public:
  BlocksByNode() = default;  // none
  // O(blocks of the job + log nodes).
  BlocksByNode(const View& view, JobIndex job);

  // The nodes, ascending; a place is an index of them.
  [[nodiscard]] std::span<const NodeIndex> nodes() const { return nodes_; }
  // The maps with a block on the node at the place, ascending.
  [[nodiscard]] std::span<const TaskIndex> maps(std::size_t place) const {
    return std::span(maps_).subspan(first_[place], first_[place + 1] - first_[place]);
  }
  [[nodiscard]] std::optional<std::size_t> place(NodeIndex node) const;  // O(log nodes with blocks)

 private:
  std::vector<NodeIndex> nodes_;
  std::vector<std::uint32_t> first_;  // by place, plus an end: index of the first of its maps
  std::vector<TaskIndex> maps_;
};

}  // namespace wavewright
