// Maps of one job by the places of their blocks: finds the map closest to a node with a free slot.
//
// Blocks of most jobs stand in short rows, one per rack (rack_rows.h). For larger jobs a hash table gives the
// first block of each node and of each rack, and links lead to the others in order of task. Most nodes hold
// no block of most jobs; one lookup finds this. Taken tasks are unlinked when a search meets them. A search
// costs O(1) plus, over a job's life, O(blocks) for tasks taken in the meantime.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "wavewright/cluster/topology.h"
#include "wavewright/core/prefetch.h"
#include "wavewright/sched/policy.h"
#include "wavewright/sim/model/blocks.h"
#include "wavewright/sim/model/rack_rows.h"

namespace wavewright::sim {

class alignas(cache_line) LocalTasks {
 public:
  struct Choice {
    std::uint32_t task = 0;
    Locality locality = Locality::node;
  };

  // The topology must outlive it. O(blocks).
  LocalTasks(Blocks blocks, const Topology& topology);
  // Reuse for another job: `retire` returns the memory of the blocks, `renew` takes the new blocks.
  [[nodiscard]] Blocks retire() { return std::move(places_); }
  void renew(Blocks blocks);  // O(tasks)

  // The lowest-numbered task among those closest to the node; none if none is as close as `at_most`.
  // O(blocks) at the first call: placers that search nodes may never ask.
  [[nodiscard]] std::optional<Choice> closest(NodeIndex node, Locality at_most);
  [[nodiscard]] Locality locality(std::uint32_t task, NodeIndex node) const;
  // The nodes that hold the task's block.
  [[nodiscard]] std::span<const NodeIndex> holders(std::uint32_t task) const { return places_.of(task); }
  [[nodiscard]] bool has(std::uint32_t task) const { return task < taken_.size() && taken_[task] == 0; }
  void take(std::uint32_t task) {
    taken_[task] = 1;
    if (places_left_) count_places(task, false);
  }
  // Nodes and racks with a block of a task that is left. O(blocks) at the first call, then O(1).
  [[nodiscard]] Count places_left();
  void give_back(std::uint32_t task);  // the task must run again; O(blocks)

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  // The first block of each place (node or rack): a table with linear probing, or an array if places are few.
  class Heads {
   public:
    void resize(std::size_t blocks, std::size_t places);  // `places`: all nodes, or all racks
    [[nodiscard]] std::uint32_t* find(std::uint32_t place);
    std::uint32_t& at(std::uint32_t place);  // `none` if it is new

   private:
    struct Entry {
      std::uint32_t place = none;
      std::uint32_t block = none;
    };
    [[nodiscard]] std::size_t home(std::uint32_t place) const;

    std::vector<std::uint32_t> row_;  // by place; empty if the table is used
    std::vector<Entry> entries_;      // a power of two entries, at most half of them in use
  };
  struct Block {
    std::uint32_t task = 0;
    std::uint32_t next_on_node = none;
    std::uint32_t next_in_rack = none;
  };

  void count_places(std::uint32_t task, bool left);
  void order();
  void link_all();
  void link();
  [[nodiscard]] RackRows::Found linked(NodeIndex node);
  [[nodiscard]] std::optional<std::uint32_t> first(Heads& heads, std::uint32_t place,
                                                   std::uint32_t Block::* next);

  const Topology& topology_;
  bool is_ordered_ = false;          // there are rows or links
  RackRows rows_;                    // used if they are short; then there are no links
  std::vector<std::uint8_t> taken_;  // by task
  std::uint32_t first_ = 0;          // all tasks below it are taken
  Blocks places_;
  // By node, then by rack: blocks of tasks that are left. Made when somebody asks.
  std::unique_ptr<std::unordered_map<std::size_t, std::uint32_t>> places_left_;
  std::vector<Block> blocks_;
  Heads on_node_;
  Heads in_rack_;
};

}  // namespace wavewright::sim
