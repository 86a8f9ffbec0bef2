// A job's order of containers, by fitness [UNL eqs 6.1–6.3]:
//
//     h = ef · dop      ef: efficiency of the node's class for the job (View::efficiency), above 0
//                       dop: blocks of the job's maps on the node / maps, as known when the job arrived
//
// Best first: by h, then by ef, then by class and node number. Most nodes hold no block of most jobs, so that
// their h is 0: only nodes with blocks are ranked one by one, the others class by class.
//
// optset: the first R containers of that order, free or not. Of a node whose containers stand partly in it,
// as many free ones count as stand in it.
#pragma once

#include <optional>
#include <vector>

#include "wavewright/energy/blocks_by_node.h"
#include "wavewright/energy/free_containers.h"

namespace wavewright {

struct Grant {
  NodeIndex node = 0;
  Count containers = 0;

  friend bool operator==(const Grant&, const Grant&) = default;
};

class Ranking {
 public:
  // `relevant`: by class. O(blocks of the job + log nodes).
  Ranking(const View& view, JobIndex job, const std::vector<bool>& relevant);

  [[nodiscard]] bool is_relevant(ClassId node_class) const { return relevant_[node_class]; }
  [[nodiscard]] const BlocksByNode& blocks() const { return blocks_; }
  // Containers that are relevant, and those of them that are free. O(classes).
  [[nodiscard]] Count whole(const FreeContainers& containers) const;
  [[nodiscard]] Count free(const FreeContainers& containers) const;
  // Free containers of the optset of R = `asked`. O(nodes with blocks in the optset); if nodes without blocks
  // are in it, O(min(nodes with blocks, free nodes · log nodes) + classes · log² nodes), and more after nodes
  // came or went.
  [[nodiscard]] Count free_in_optset(const FreeContainers& containers, Count asked);
  // Of the optset of R = `asked`: the nodes with blocks, best first, and how many of their containers are in
  // it. O(them).
  [[nodiscard]] std::vector<Grant> optset_of_data(const FreeContainers& containers, Count asked) const;
  // The job has no maps to start: blocks are no longer asked for, and their memory is free. O(1).
  void forget_blocks();
  [[nodiscard]] bool has_data() const { return !data_.empty(); }
  [[nodiscard]] std::optional<ClassId> best_class() const {
    return classes_.empty() ? std::nullopt : std::optional(classes_.front());
  }
  // Appends the best `count` free containers, best first; fewer if there are fewer. O(min(nodes with blocks,
  // free nodes · log) + containers granted).
  void best_free(const FreeContainers& containers, Count count, std::vector<Grant>& into) const;

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct OfClass {
    std::vector<NodeIndex> data;  // nodes with blocks, ascending
    std::vector<Count> before;    // containers of those before each of them, and of all
    Count others = 0;             // containers of nodes without blocks
  };
  void rank(const View& view, const std::vector<double>& efficiency, Count maps);
  // The node's place in data_; `none` if it holds no block. O(log nodes with blocks).
  [[nodiscard]] std::uint32_t rank_of(NodeIndex node) const;
  [[nodiscard]] bool holds_data(NodeIndex node) const { return has_data() && rank_of(node) != none; }
  void count_others(const FreeContainers& containers);
  [[nodiscard]] Count others_before(const FreeContainers& containers, ClassId node_class,
                                    std::size_t position) const;
  [[nodiscard]] Count free_of_others(const FreeContainers& containers, ClassId node_class, Count asked) const;
  [[nodiscard]] std::size_t open_nodes(const FreeContainers& containers) const;
  void best_of_few(const FreeContainers& containers, Count count, std::vector<Grant>& into) const;

  std::vector<bool> relevant_;
  std::vector<ClassId> classes_;  // relevant ones, best first
  BlocksByNode blocks_;
  std::vector<NodeIndex> data_;      // relevant nodes with blocks, best first
  std::vector<std::uint32_t> rank_;  // by place in blocks_: the place in data_, or `none`
  // As of `version_` of the containers:
  std::uint64_t version_ = ~std::uint64_t{0};
  std::vector<OfClass> of_class_;  // by class; most jobs need none
};

}  // namespace wavewright
