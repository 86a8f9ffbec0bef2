// The application master's dispatcher: which of a job's tasks goes to which of the containers that the job
// obtained [UNL table 6.4, Algorithm 2].
//
// L_k is the number of containers obtained on nodes with task k's block. Tasks go in order of L_k, those
// without any last. A task with L_k > 0 takes the first container that has its block; if others took all of
// these, it goes to the end as a task without any. Such a task takes the first container that is left.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/sched/event.h"

namespace wavewright {

struct Dispatched {
  TaskIndex task = 0;
  NodeIndex node = 0;

  friend bool operator==(const Dispatched&, const Dispatched&) = default;
};

// A task, and the nodes with its block.
struct QueuedTask {
  TaskIndex task = 0;
  std::span<const NodeIndex> blocks;
};

// Keeps its memory for the next job. Not for concurrent use.
class Dispatcher {
 public:
  explicit Dispatcher(std::size_t nodes) : of_node_(nodes) {}

  // The containers that the job obtained: the node of each, best first [UNL Alg. 2 line 2]. O(containers).
  void obtain(std::span<const NodeIndex> containers);
  // L_k of a task with these blocks, until assign().
  [[nodiscard]] Count local(std::span<const NodeIndex> blocks) const;
  // `tasks`: that have not started, lowest number first. In order of assignment; min(tasks, containers) of
  // them, until the next call. Gives all containers back. O(tasks · blocks of one + containers).
  std::span<const Dispatched> assign(std::span<const QueuedTask> tasks);

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct OfNode {
    std::uint32_t first = none;  // its first container that is left
    std::uint32_t left = 0;
  };
  void sort_by_local(std::span<const QueuedTask> tasks);
  [[nodiscard]] std::optional<NodeIndex> take_local(const QueuedTask& task);

  std::vector<OfNode> of_node_;
  std::vector<NodeIndex> containers_;
  std::vector<std::uint32_t> next_;    // by container: the next one of its node
  std::vector<std::uint8_t> taken_;    // by container
  std::vector<std::uint32_t> local_;   // by task: L_k
  std::vector<std::uint32_t> first_;   // by L_k: where its tasks begin in sorted_
  std::vector<std::uint32_t> sorted_;  // tasks with L_k > 0
  std::vector<std::uint32_t> others_;
  std::vector<Dispatched> assigned_;
};

}  // namespace wavewright
