// Containers (map slots) of a cluster's nodes, and how many of them are free.
#pragma once

#include <optional>
#include <vector>

#include "wavewright/sched/view.h"
#include "wavewright/sim/kernel/number_set.h"

namespace wavewright {

class FreeContainers {
 public:
  void begin(const View& view);                    // all free; O(nodes · log nodes)
  void refresh(NodeIndex node, const View& view);  // it joined, left, or will be taken away

  // Containers of the node become busy or free. O(log nodes).
  void take(NodeIndex node, Count containers = 1) { change(node, containers); }
  void give(NodeIndex node, Count containers = 1) { change(node, -containers); }

  [[nodiscard]] Count whole(NodeIndex node) const { return nodes_[node].whole; }
  [[nodiscard]] Count free(NodeIndex node) const { return nodes_[node].free(); }
  [[nodiscard]] ClassId class_of(NodeIndex node) const { return nodes_[node].node_class; }
  [[nodiscard]] std::size_t nodes() const { return nodes_.size(); }
  [[nodiscard]] std::size_t classes() const { return classes_.size(); }

  struct Class {
    std::vector<NodeIndex> members;  // ascending
    sim::NumberSet open{0, false};   // members with free containers
    Count whole = 0, free = 0;
  };
  [[nodiscard]] const Class& of(ClassId node_class) const { return classes_[node_class]; }
  [[nodiscard]] Count free() const { return free_; }
  // Containers, and free ones, of the class's members before the position. O(log nodes). Free ones change all
  // the time and are asked for seldom: their sums are kept for blocks of members.
  [[nodiscard]] Count whole_before(ClassId node_class, std::size_t position) const;
  [[nodiscard]] Count free_before(ClassId node_class, std::size_t position) const;
  [[nodiscard]] std::size_t position(NodeIndex node) const { return nodes_[node].position; }
  [[nodiscard]] std::uint64_t version() const { return version_; }  // changes with the nodes' containers

 private:
  struct Node {
    ClassId node_class = 0;
    std::uint32_t position = 0;  // among the class's members
    std::int32_t whole = 0, busy = 0;
    [[nodiscard]] Count free() const { return whole > busy ? Count{whole} - busy : 0; }
  };
  // Prefix sums that change.
  class Sums {
   public:
    void resize(std::size_t size) { tree_.assign(size + 1, 0); }
    void add(std::size_t at, Count by) {
      for (std::size_t i = at + 1; i < tree_.size(); i += i & (~i + 1)) tree_[i] += by;
    }
    [[nodiscard]] Count before(std::size_t position) const;

   private:
    std::vector<Count> tree_;
  };
  static constexpr std::size_t block = 64;  // members
  void change(NodeIndex node, Count busy) {
    Node& of = nodes_[node];
    const Count free_before = of.free();
    of.busy += static_cast<std::int32_t>(busy);
    recount(node, of, free_before);
  }
  // The node had `free_before` free containers.
  void recount(NodeIndex node, const Node& of, Count free_before) {
    const Count free = of.free(), more = free - free_before;
    if (more == 0) return;
    Class& its_class = classes_[of.node_class];
    free_sums_[of.node_class].add(of.position / block, more);
    its_class.free += more;
    free_ += more;
    if (free == 0) its_class.open.erase(node);
    if (free_before == 0) its_class.open.insert(node);
  }

  std::vector<Node> nodes_;
  std::vector<Class> classes_;
  std::vector<Sums> whole_sums_, free_sums_;  // by class: of members, of blocks of them
  std::uint64_t version_ = 0;
  Count free_ = 0;
};

}  // namespace wavewright
