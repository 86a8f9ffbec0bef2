// The blocks of pending maps by the nodes that hold them, for placers that search a node for its own maps.
//
// Example: 4,000 nodes and 300 waiting jobs; a node with a free slot holds blocks of three pending maps. Only
// these three are looked at, not all 300 jobs. Most nodes hold none, and one look finds this.
#pragma once

#include <optional>
#include <vector>

#include "wavewright/sim/nodes/allocation.h"

namespace wavewright::sim {

class NodeBlocks {
 public:
  NodeBlocks(World& world, Allocation& allocation)
      : w_(world),
        allocation_(allocation),
        on_(world.placer != nullptr && world.placer->searches_nodes() && world.model.places),
        nodes_(on_ ? world.model.topology.size() : 0),
        holding_((nodes_.size() + 63) / 64),
        listed_(on_ ? world.jobs.size() : 0) {}

  [[nodiscard]] bool on() const { return on_; }
  // False if a search of the node finds nothing.
  [[nodiscard]] bool may_find(NodeIndex node) const { return nodes_[node].count > 0 || !doubles_.empty(); }

  // The nodes with blocks, one bit for each.
  [[nodiscard]] std::span<const std::uint64_t> holding() const { return holding_; }
  // True if the node has so many that it takes longer to look at them than to walk through the jobs: some of
  // the first ones have a block there.
  [[nodiscard]] bool has_many(NodeIndex node) const { return nodes_[node].count > many; }
  // True if jobs may want second attempts: then a search may find something on nodes without blocks, too.
  [[nodiscard]] bool has_doubles() const { return !doubles_.empty(); }

  // The job has maps to start, or maps that want a second attempt. O(its blocks) the first time, then O(1).
  void add(JobIndex job);
  // A map that was pending starts, or must run again. O(blocks on its nodes).
  void take(JobIndex job, std::uint32_t map);
  void give_back(JobIndex job, std::uint32_t map);
  // The job has failed: none of its maps starts any more. O(blocks on the nodes of its maps).
  void forget(JobIndex job);

  // Eligible jobs that are hidden in the maps' tree, with a map to start that has a block on the node: into
  // `jobs`, the first in the tree's order last. O(blocks on the node + jobs with only second attempts).
  void hidden(NodeIndex node, std::vector<JobIndex>& jobs) {
    jobs.clear();
    if (may_find(node)) list_hidden(node, jobs);
  }

  // The first eligible job, in the order of the maps' tree, with a map to start that has a block on the node,
  // and that map. Equal to a search through all jobs. O(blocks on the node + jobs with only second attempts).
  [[nodiscard]] std::optional<TaskChoice> first(NodeIndex node) {
    return may_find(node) ? search(node) : std::nullopt;
  }

 private:
  struct Block {
    JobIndex job = 0;
    std::uint32_t map = 0;
    friend bool operator==(const Block& a, const Block& b) {
      return ((a.job ^ b.job) | (a.map ^ b.map)) == 0;
    }
  };
  // The blocks on one node, in no order. As many as fit into one cache line are there.
  static constexpr std::uint32_t few = (cache_line - sizeof(std::uint64_t)) / sizeof(Block);
  struct alignas(cache_line) OnNode {
    std::uint32_t count = 0;
    std::uint32_t more = 0;  // place of the others in more_, from 1; 0 = never were any
    Block first[few];
  };
  static constexpr std::uint32_t many = 64;
  [[nodiscard]] Block& at(OnNode& on, std::uint32_t i) {
    return i < few ? on.first[i] : more_[on.more - 1][i - few];
  }
  // Prefetches what is known of the nodes.
  void expect(std::span<const NodeIndex> nodes) const {
    for (const NodeIndex node : nodes) __builtin_prefetch(&nodes_[node], 1);
  }
  // The place of a block that is there.
  [[nodiscard]] std::uint32_t find(const OnNode& on, const Block& block) const;
  void put(NodeIndex node, const Block& block);
  void take_out(NodeIndex node, std::uint32_t i);
  void list_hidden(NodeIndex node, std::vector<JobIndex>& jobs);
  [[nodiscard]] bool is_hidden(JobIndex job, NodeIndex node) const {
    return w_.maps.ready.is_hidden(job) && w_.maps.ready.eligible(job) &&
           !allocation_.refused(job, Kind::map, node);
  }
  [[nodiscard]] std::optional<TaskChoice> search(NodeIndex node);
  void forget_doubles();  // those that want no second attempt any more
  void search_doubles(NodeIndex node, std::optional<TaskChoice>& best);
  [[nodiscard]] bool goes_first(JobIndex job, NodeIndex node, const std::optional<TaskChoice>& best);

  World& w_;
  Allocation& allocation_;
  const bool on_;
  std::vector<OnNode> nodes_;
  std::vector<std::uint64_t> holding_;  // by 64 nodes
  std::vector<std::vector<Block>> more_;
  std::vector<std::uint8_t> listed_;  // by job
  std::vector<JobIndex> doubles_;     // jobs whose running maps may want a second attempt
};

}  // namespace wavewright::sim
