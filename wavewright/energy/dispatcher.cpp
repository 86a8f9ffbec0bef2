#include "wavewright/energy/dispatcher.h"

#include <algorithm>

namespace wavewright {

namespace {

// A block may be named twice.
template <class Visit>
void each_node(std::span<const NodeIndex> blocks, Visit visit) {
  for (auto block = blocks.begin(); block != blocks.end(); ++block) {
    if (std::find(blocks.begin(), block, *block) == block) visit(*block);
  }
}

}  // namespace

void Dispatcher::obtain(std::span<const NodeIndex> containers) {
  containers_.assign(containers.begin(), containers.end());
  next_.resize(containers.size());
  taken_.assign(containers.size(), 0);
  for (auto i = static_cast<std::uint32_t>(containers.size()); i-- > 0;) {
    OfNode& node = of_node_[containers[i]];
    next_[i] = node.first;
    node.first = i;
    ++node.left;
  }
}

Count Dispatcher::local(std::span<const NodeIndex> blocks) const {
  Count sum = 0;
  each_node(blocks, [&](NodeIndex node) { sum += node < of_node_.size() ? Count{of_node_[node].left} : 0; });
  return sum;
}

// The first container that has the task's block.
std::optional<NodeIndex> Dispatcher::take_local(const QueuedTask& task) {
  std::uint32_t first = none;
  for (const NodeIndex node : task.blocks) {
    if (node < of_node_.size()) first = std::min(first, of_node_[node].first);
  }
  if (first == none) return std::nullopt;
  OfNode& node = of_node_[containers_[first]];
  node.first = next_[first];
  --node.left;
  taken_[first] = 1;
  return containers_[first];
}

// A counting sort, which keeps the order of tasks with equal L_k.
void Dispatcher::sort_by_local(std::span<const QueuedTask> tasks) {
  others_.clear();
  local_.resize(tasks.size());
  first_.assign(containers_.size() + 2, 0);
  for (std::uint32_t i = 0; i < tasks.size(); ++i) {
    local_[i] = static_cast<std::uint32_t>(local(tasks[i].blocks));
    if (local_[i] == 0) {
      others_.push_back(i);
    } else {
      ++first_[local_[i] + 1];
    }
  }
  for (std::size_t each = 1; each < first_.size(); ++each) first_[each] += first_[each - 1];
  sorted_.resize(tasks.size() - others_.size());
  for (std::uint32_t i = 0; i < tasks.size(); ++i) {
    if (local_[i] > 0) sorted_[first_[local_[i]]++] = i;
  }
}

std::span<const Dispatched> Dispatcher::assign(std::span<const QueuedTask> tasks) {
  assigned_.clear();
  sort_by_local(tasks);
  for (const std::uint32_t each : sorted_) {
    if (const auto node = take_local(tasks[each])) {
      assigned_.push_back({tasks[each].task, *node});
    } else {
      others_.push_back(each);
    }
  }
  std::size_t first = 0;
  for (const std::uint32_t each : others_) {
    while (first < taken_.size() && taken_[first] != 0) ++first;
    if (first == taken_.size()) break;
    assigned_.push_back({tasks[each].task, containers_[first++]});
  }
  for (const NodeIndex node : containers_) of_node_[node] = {};
  return assigned_;
}

}  // namespace wavewright
