// The tasks that a round of EFH sends to nodes, until they are taken (energy/efh.h).
#pragma once

#include <algorithm>
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
    const BlocksByNode& blocks;
    TaskIndex first_pending = 0;  // no map below it is pending
  };

  void begin(std::size_t nodes) {
    of_node_.assign(nodes, {});
    nodes_.clear();
  }
  // Sends pending maps of the job to the granted containers, best first, as dispatch() says.
  // O(containers · log containers + blocks on their nodes · log of them + maps that are looked at).
  void send(const Maps& maps, std::span<const Grant> grants, const View& view);
  // False from the first one on until clear(), whether taken or not.
  [[nodiscard]] bool empty() const { return nodes_.empty(); }
  [[nodiscard]] bool any(NodeIndex node) const { return !of_node_[node].empty(); }
  // Memory is kept for the next round. O(nodes that something was sent to).
  void clear() {
    for (const NodeIndex node : nodes_) of_node_[node].clear();
    nodes_.clear();
  }
  // O(tasks that were sent).
  void forget(JobIndex job) {
    for (const NodeIndex node : nodes_)
      std::erase_if(of_node_[node], [&](const Sent& each) { return each.job == job; });
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
  }
  void queue_tasks(const Maps& of, std::span<const Grant> grants, const View& view);

  std::vector<std::vector<Sent>> of_node_;
  std::vector<NodeIndex> nodes_;  // that something was sent to; some may be named twice
  // For one job at a time:
  std::vector<NodeIndex> containers_;  // the node of each, best first
  std::vector<TaskIndex> may_go_;      // ascending
  std::vector<QueuedTask> queue_;      // the same
};

}  // namespace wavewright
