#include "wavewright/energy/blocks_by_node.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace wavewright {

namespace {

struct Block {
  NodeIndex node = 0;
  TaskIndex map = 0;
};

// By node; blocks of a node keep their order. A pass for each part of the node numbers, of a byte at most.
// `sorted` is overwritten.
void sort_by_node(std::vector<Block>& blocks, std::vector<Block>& sorted, std::size_t nodes) {
  constexpr unsigned most_bits = 8;
  const auto bits = std::max(1U, static_cast<unsigned>(std::bit_width(nodes - 1)));
  const unsigned passes = (bits + most_bits - 1) / most_bits, digit_bits = (bits + passes - 1) / passes;
  const std::size_t digits = std::size_t{1} << digit_bits;
  sorted.resize(blocks.size());
  for (unsigned shift = 0; (nodes - 1) >> shift != 0; shift += digit_bits) {
    const auto digit = [&](const Block& block) { return (block.node >> shift) % digits; };
    std::array<std::uint32_t, (std::size_t{1} << most_bits) + 1> first{};
    for (const Block& each : blocks) ++first[digit(each) + 1];
    for (std::size_t i = 1; i < digits; ++i) first[i] += first[i - 1];
    for (const Block& each : blocks) sorted[first[digit(each)]++] = each;
    std::swap(blocks, sorted);
  }
}

}  // namespace

BlocksByNode::BlocksByNode(const View& view, JobIndex job) {
  thread_local std::vector<Block> blocks, sorted;  // keep their memory from job to job
  blocks.clear();
  const auto maps = static_cast<TaskIndex>(view.facts(job).maps);
  for (TaskIndex map = 0; map < maps; ++map) {
    for (const NodeIndex node : view.block_nodes(job, map)) blocks.push_back({node, map});
  }
  if (blocks.empty()) return;
  sort_by_node(blocks, sorted, view.nodes());
  maps_.resize(blocks.size());
  nodes_.resize(blocks.size());
  first_.resize(blocks.size() + 1);
  std::uint32_t places = 0;
  for (std::uint32_t i = 0; i < blocks.size(); ++i) {
    if (i == 0 || blocks[i].node != blocks[i - 1].node) {
      nodes_[places] = blocks[i].node;
      first_[places++] = i;
    }
    maps_[i] = blocks[i].map;
  }
  nodes_.resize(places);
  first_[places] = static_cast<std::uint32_t>(blocks.size());
  first_.resize(places + 1);
}

std::optional<std::size_t> BlocksByNode::place(NodeIndex node) const {
  const auto found = std::lower_bound(nodes_.begin(), nodes_.end(), node);
  if (found == nodes_.end() || *found != node) return std::nullopt;
  return static_cast<std::size_t>(found - nodes_.begin());
}

}  // namespace wavewright
