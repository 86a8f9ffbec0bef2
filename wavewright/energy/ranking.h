// A job's order of containers, by fitness [UNL eqs 6.1–6.3]:
//
//     h = ef · dop      ef: efficiency of the node's class for the job (View::efficiency), above 0
//                       dop: blocks of the job's maps on the node / maps, as known when the job arrived
//
// Best first: by h, then by ef, then by class and node number. Nodes of a class with equally many blocks are
// of one level. Most nodes hold no block of most jobs, and most others hold one: a bit for each node says so,
// so that only nodes with more blocks are listed.
//
// optset: the first R containers of that order, free or not. Of a node whose containers stand partly in it,
// as many free ones count as stand in it.
//
// Containers of nodes that the job avoids (View::blacklisted) are not relevant: no task of it may start
// there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "wavewright/energy/free_containers.h"

namespace wavewright {

struct Grant {
  NodeIndex node = 0;
  Count containers = 0;

  friend bool operator==(const Grant&, const Grant&) = default;
};

// Containers of a class, on any of its nodes.
struct ClassGrant {
  ClassId node_class = 0;
  Count containers = 0;
};

class Ranking {
 public:
  // `relevant`: by class. Without `by_blocks`, h is 0 for all nodes. O(blocks of the job + nodes / 64 +
  // levels · log levels).
  Ranking(const View& view, JobIndex job, std::vector<bool> relevant, bool by_blocks = true);

  [[nodiscard]] bool is_relevant(ClassId node_class) const { return relevant_[node_class]; }
  // The job avoids the node from now on. False if it did so before. O(nodes that it avoids).
  bool avoid(NodeIndex node);
  [[nodiscard]] bool avoids(NodeIndex node) const {
    return !avoided_.empty() && std::binary_search(avoided_.begin(), avoided_.end(), node);
  }
  // The nodes that it avoids, ascending.
  [[nodiscard]] const std::vector<NodeIndex>& avoided() const { return avoided_; }
  // Containers that are relevant, and those of them that are free. O(classes + nodes that it avoids).
  [[nodiscard]] Count whole(const FreeContainers& containers) const;
  [[nodiscard]] Count free(const FreeContainers& containers) const;
  // Free containers of the optset of R = `asked`. O(nodes with blocks in the optset + classes · nodes / 64);
  // if nodes without blocks are in it, O(nodes with blocks + nodes with free containers + classes · log²
  // nodes), and more after nodes came or went. O(nodes) if the job avoids some.
  [[nodiscard]] Count free_in_optset(const FreeContainers& containers, Count asked);
  // Of the optset of R = `asked`: the nodes with blocks, best first, and how many of their containers are in
  // it. The job avoids none. O(them + classes · nodes / 64).
  [[nodiscard]] std::vector<Grant> optset_of_data(const FreeContainers& containers, Count asked) const;
  // The job has no maps to start: blocks are no longer asked for, and their memory is free for the thread's
  // next ranking. O(1).
  void forget_blocks();
  [[nodiscard]] bool has_data() const { return !data_.levels.empty(); }
  [[nodiscard]] std::optional<ClassId> best_class() const {
    return classes_.empty() ? std::nullopt : std::optional(classes_.front());
  }
  // The best class with free containers, to a job without blocks. O(classes).
  [[nodiscard]] std::optional<ClassId> best_free_class(const FreeContainers& containers) const {
    const auto found =
        std::find_if(classes_.begin(), classes_.end(), [&](ClassId c) { return containers.free_of(c) > 0; });
    return found == classes_.end() ? std::nullopt : std::optional(*found);
  }
  // Appends the best `count` free containers, best first; fewer if there are fewer. O(containers granted +
  // nodes with several blocks + classes · nodes / 64).
  void best_free(const FreeContainers& containers, Count count, std::vector<Grant>& into) const;
  // The same of a job without blocks, to which the nodes of a class are alike: it avoids none. O(classes).
  void best_classes(const FreeContainers& containers, Count count, std::vector<ClassGrant>& into) const;

 private:
  // Nodes of a class with equally many blocks.
  struct Level {
    double fitness = 0, efficiency = 0;
    ClassId node_class = 0;
    std::uint32_t blocks = 0;
    std::uint32_t first = 0, nodes = 0;  // if they hold several blocks: their place in `several`
  };
  // The nodes with blocks.
  struct Data {
    std::vector<Level> levels;               // best first; some may have no nodes
    std::vector<NodeIndex> several;          // relevant nodes with several blocks, best first
    std::vector<std::uint64_t> once, holds;  // a bit for each node: it holds one block; it holds some
  };
  struct OfClass {
    std::vector<NodeIndex> data;  // nodes with blocks, ascending
    std::vector<Count> before;    // containers of those before each of them, and of all
    Count others = 0;             // containers of nodes without blocks
  };
  struct Scratch;
  static Scratch& scratch();
  void rank(const View& view, JobIndex job, Scratch& memory);
  void mark_blocks(const View& view, JobIndex job, Scratch& memory);
  void sort_levels(Scratch& memory);
  template <class Visit>
  void each_with_blocks(const FreeContainers& containers, bool open, Visit visit) const;
  [[nodiscard]] bool has_blocks_on(NodeIndex node) const {
    return has_data() && (data_.holds[node / 64] >> (node % 64) & 1) != 0;
  }
  template <class Value>
  [[nodiscard]] Count of_avoided(const FreeContainers& containers, Value value) const;
  [[nodiscard]] Count free_in_optset_by_node(const FreeContainers& containers, Count asked) const;
  void count_others(const FreeContainers& containers);
  [[nodiscard]] Count others_before(const FreeContainers& containers, ClassId node_class,
                                    std::size_t position) const;
  [[nodiscard]] Count free_of_others(const FreeContainers& containers, ClassId node_class, Count asked) const;

  std::vector<bool> relevant_;
  std::vector<ClassId> classes_;    // relevant ones, best first
  std::vector<NodeIndex> avoided_;  // ascending
  Data data_;
  // As of `version_` of the containers:
  std::uint64_t version_ = ~std::uint64_t{0};
  std::vector<OfClass> of_class_;  // by class; most jobs need none
};

}  // namespace wavewright
