#include "wavewright/energy/dispatcher.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "wavewright/core/quantity.h"

namespace wavewright {

namespace {

// Containers that are not assigned yet, by node.
class Left {
 public:
  explicit Left(std::span<const NodeIndex> containers)
      : containers_(containers), by_node_(containers.size()), taken_(containers.size()) {
    std::iota(by_node_.begin(), by_node_.end(), std::size_t{0});
    std::stable_sort(by_node_.begin(), by_node_.end(),
                     [&](std::size_t a, std::size_t b) { return containers_[a] < containers_[b]; });
    for (std::size_t i = 0; i < by_node_.size(); ++i) {
      const NodeIndex node = containers_[by_node_[i]];
      if (nodes_.empty() || nodes_.back().node != node) nodes_.push_back({node, i, i});
      ++nodes_.back().end;
    }
  }

  // Containers on nodes with the task's block.
  [[nodiscard]] Count local(const QueuedTask& task) {
    Count sum = 0;
    each_node(task, [&](const Node& node) { sum += static_cast<Count>(node.end - node.next); });
    return sum;
  }
  // Takes the first of them.
  std::optional<NodeIndex> take_local(const QueuedTask& task) {
    Node* first = nullptr;
    each_node(task, [&](Node& node) {
      if (node.next < node.end && (first == nullptr || by_node_[node.next] < by_node_[first->next]))
        first = &node;
    });
    if (first == nullptr) return std::nullopt;
    taken_[by_node_[first->next++]] = true;
    return first->node;
  }
  // Takes the first one; no local one may be taken after it.
  std::optional<NodeIndex> take_first() {
    while (first_ < taken_.size() && taken_[first_]) ++first_;
    return first_ < taken_.size() ? std::optional(containers_[first_++]) : std::nullopt;
  }

 private:
  struct Node {
    NodeIndex node = 0;
    std::size_t next = 0, end = 0;  // of by_node_: its containers that are left
  };
  template <class Visit>
  void each_node(const QueuedTask& task, Visit visit) {
    for (auto block = task.blocks.begin(); block != task.blocks.end(); ++block) {
      if (std::find(task.blocks.begin(), block, *block) != block) continue;  // named twice
      const auto node = std::lower_bound(nodes_.begin(), nodes_.end(), *block,
                                         [](const Node& a, NodeIndex number) { return a.node < number; });
      if (node != nodes_.end() && node->node == *block) visit(*node);
    }
  }

  std::span<const NodeIndex> containers_;
  std::vector<std::size_t> by_node_;  // containers by node, and in their order
  std::vector<Node> nodes_;           // ascending
  std::vector<bool> taken_;
  std::size_t first_ = 0;
};

struct Entry {
  const QueuedTask* task = nullptr;
  Count local = 0;  // L_k
};

}  // namespace

std::vector<Dispatched> dispatch(std::span<const QueuedTask> tasks, std::span<const NodeIndex> containers) {
  Left left(containers);
  std::vector<Entry> with_local;
  std::vector<const QueuedTask*> others;
  for (const QueuedTask& task : tasks) {
    const Count local = left.local(task);
    if (local > 0) {
      with_local.push_back({&task, local});
    } else {
      others.push_back(&task);
    }
  }
  std::stable_sort(with_local.begin(), with_local.end(),
                   [](const Entry& a, const Entry& b) { return a.local < b.local; });
  std::vector<Dispatched> assigned;
  for (const Entry& each : with_local) {
    if (const auto node = left.take_local(*each.task)) {
      assigned.push_back({each.task->task, *node});
    } else {
      others.push_back(each.task);
    }
  }
  for (const QueuedTask* const each : others) {
    const std::optional<NodeIndex> node = left.take_first();
    if (!node) break;
    assigned.push_back({each->task, *node});
  }
  return assigned;
}

}  // namespace wavewright
