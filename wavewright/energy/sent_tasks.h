// The tasks that a round of EFH sends to nodes, until they are taken (energy/efh.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "wavewright/energy/blocks_by_node.h"
#include "wavewright/energy/dispatcher.h"
#include "wavewright/energy/ranking.h"

namespace wavewright {

class SentTasks {
 public:
  // The maps of a job, as the dispatcher looks at them.
  struct Maps {
    JobIndex job = 0;
    TaskIndex count = 0;
    TaskIndex first_pending = 0;           // no map below it is pending
    std::optional<BlocksByNode>& by_node;  // made when it is needed
  };

  void begin(std::size_t nodes) {
    of_node_.assign(nodes, {});
    nodes_.clear();
    named_.assign(nodes / 64 + 1, 0);
    dispatcher_ = Dispatcher(nodes);
  }
  // Sends pending maps of the job to the granted containers, best first, as the dispatcher says.
  // O(containers + maps that are looked at: all of the job, or those with a block on a granted node).
  void send(const Maps& maps, std::span<const Grant> grants, const View& view);
  // False from the first one on until clear(), whether taken or not.
  [[nodiscard]] bool empty() const { return nodes_.empty(); }
  [[nodiscard]] bool any(NodeIndex node) const { return !of_node_[node].empty(); }
  // A bit for each node that has some which were not taken.
  [[nodiscard]] std::span<const std::uint64_t> named() const { return named_; }
  // Memory is kept for the next round. O(nodes that something was sent to).
  void clear() {
    for (const NodeIndex node : nodes_) {
      of_node_[node].clear();
      name(node);
    }
    nodes_.clear();
  }
  // O(tasks that were sent).
  void forget(JobIndex job) {
    for (const NodeIndex node : nodes_) {
      std::erase_if(of_node_[node], [&](const Sent& each) { return each.job == job; });
      name(node);
    }
  }
  // The first of the job's tasks there that is pending; it and those before it are forgotten.
  // O(tasks sent to the node).
  [[nodiscard]] std::optional<TaskIndex> take(JobIndex job, NodeIndex node, const View& view) {
    std::optional<TaskIndex> taken;
    std::erase_if(of_node_[node], [&](const Sent& each) {
      if (taken || each.job != job) return false;
      if (view.map_is_pending(job, each.task)) taken = each.task;
      return true;
    });
    name(node);
    return taken;
  }

 private:
  struct Sent {
    JobIndex job = 0;
    TaskIndex task = 0;
  };
  void add(NodeIndex node, JobIndex job, TaskIndex task) {
    if (of_node_[node].empty()) nodes_.push_back(node);
    of_node_[node].push_back({job, task});
    name(node);
  }
  void name(NodeIndex node) {
    const std::uint64_t bit = std::uint64_t{1} << (node % 64);
    std::uint64_t& word = named_[node / 64];
    word = of_node_[node].empty() ? word & ~bit : word | bit;
  }
  void queue_tasks(const Maps& of, const View& view);
  void queue_few_tasks(const Maps& of, std::span<const Grant> grants, const View& view);

  std::vector<std::vector<Sent>> of_node_;
  std::vector<NodeIndex> nodes_;  // that something was sent to; some may be named twice
  std::vector<std::uint64_t> named_;
  // For one job at a time:
  Dispatcher dispatcher_{0};
  std::vector<NodeIndex> containers_;  // the node of each, best first
  std::vector<TaskIndex> may_go_;      // ascending
  std::vector<QueuedTask> queue_;
};

}  // namespace wavewright
