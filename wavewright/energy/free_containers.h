// Containers (map slots) of a cluster's nodes, and how many of them are free: as the driver knows it
// (View::free_slots), less what EFH has given out.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/sched/view.h"

namespace wavewright {

class FreeContainers {
 public:
  void begin(const View& view);                    // O(nodes · log nodes)
  void refresh(NodeIndex node, const View& view);  // it joined, left, or will be taken away; O(log nodes)
  // Reads what is free now; call it at each event before asking. O(1).
  void see(const View& view) {
    view_ = &view;
    free_slots_ = view.free_slots(Kind::map);
    free_of_classes_ = view.free_slots_of_classes(Kind::map);
  }

  // A container of the node may have become free: where only one is free, it is often this one.
  void expect(NodeIndex node) { expected_ = node; }
  [[nodiscard]] NodeIndex expected() const { return expected_; }

  // Containers of the node, or of the class, wherever, are given out; `give` takes them back. O(1).
  void take(NodeIndex node, Count containers) {
    taken_[node] += containers;
    take_of_class(class_of(node), containers);
  }
  void give(NodeIndex node, Count containers) { take(node, -containers); }
  void take_of_class(ClassId node_class, Count containers) { taken_of_class_[node_class] += containers; }
  void give_of_class(ClassId node_class, Count containers) { take_of_class(node_class, -containers); }
  // Containers of the class that jobs have been given, on whatever node: free(node) counts them, free_of()
  // does not. O(1).
  void count_given(ClassId node_class, Count more) { given_of_class_[node_class] += more; }
  [[nodiscard]] Count given_of(ClassId node_class) const { return given_of_class_[node_class]; }

  [[nodiscard]] Count whole(NodeIndex node) const { return nodes_[node].whole; }
  [[nodiscard]] Count free(NodeIndex node) const {
    return nodes_[node].whole == 0 ? 0 : Count{free_slots_[node]} - taken_[node];
  }
  [[nodiscard]] ClassId class_of(NodeIndex node) const { return nodes_[node].node_class; }
  [[nodiscard]] std::size_t nodes() const { return nodes_.size(); }
  [[nodiscard]] std::size_t classes() const { return classes_.size(); }

  struct Class {
    std::vector<NodeIndex> members;   // ascending
    std::vector<std::uint64_t> bits;  // of its members, as in View::free_nodes
    Count whole = 0;
  };
  [[nodiscard]] const Class& of(ClassId node_class) const { return classes_[node_class]; }
  [[nodiscard]] Count free_of(ClassId node_class) const {
    return free_on_nodes_of(node_class) - given_of_class_[node_class];
  }
  // The sum of free(node) over the class's nodes.
  [[nodiscard]] Count free_on_nodes_of(ClassId node_class) const {
    return free_of_classes_[node_class] - taken_of_class_[node_class];
  }
  // The sum over all classes. O(classes).
  [[nodiscard]] Count free() const {
    Count sum = 0;
    for (ClassId c = 0; c < classes_.size(); ++c) sum += free_of(c);
    return sum;
  }
  // The class's nodes with free slots (View::free_nodes): some may be given out.
  [[nodiscard]] std::span<const std::uint64_t> open(ClassId node_class) const {
    return view_->free_nodes(node_class, Kind::map);
  }
  // Calls `visit` for the class's nodes with free containers, ascending, until it returns false.
  // O(nodes visited + nodes of the cluster / 64).
  template <class Visit>
  void each_open(ClassId node_class, Visit visit) const {
    Count left = free_on_nodes_of(node_class);
    if (left == 0) return;
    const std::span<const std::uint64_t> words = open(node_class);
    for (std::size_t word = 0; word < words.size(); ++word) {
      for (std::uint64_t bits = words[word]; bits != 0; bits &= bits - 1) {
        const auto node =
            static_cast<NodeIndex>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
        const Count here = free(node);
        left -= here;
        if ((here > 0 && !visit(node)) || left == 0) return;
      }
    }
  }
  // Containers of the class's members before the position. O(log nodes).
  [[nodiscard]] Count whole_before(ClassId node_class, std::size_t position) const;
  [[nodiscard]] std::size_t position(NodeIndex node) const { return nodes_[node].position; }
  [[nodiscard]] std::uint64_t version() const { return version_; }  // changes with the nodes' containers

 private:
  struct Node {
    ClassId node_class = 0;
    std::uint32_t position = 0;  // among the class's members
    Count whole = 0;
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

  std::vector<Node> nodes_;
  std::vector<Class> classes_;
  std::vector<Sums> whole_sums_;  // by class: of members
  std::uint64_t version_ = 0;
  // As of see():
  const View* view_ = nullptr;
  std::span<const std::uint32_t> free_slots_;
  std::span<const Count> free_of_classes_;
  NodeIndex expected_ = 0;
  // Given out:
  std::vector<Count> taken_, taken_of_class_, given_of_class_;
};

}  // namespace wavewright
