// The tasks that EFH has sent to nodes and that did not start yet (energy/efh.h). Each keeps a container of
// its node taken.
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
  static constexpr NodeIndex nowhere = ~NodeIndex{0};
  struct Sent {
    JobIndex job = 0;
    TaskIndex task = 0;
    Time at{};
  };
  // The maps of a job, as the dispatcher looks at them.
  struct Maps {
    JobIndex job = 0;
    TaskIndex count = 0;
    TaskIndex first_waiting = 0;          // no map below it waits
    std::optional<BlocksByNode> by_node;  // made when it is needed
    std::vector<NodeIndex> sent;          // by map: the node that it is on its way to; empty before the first

    [[nodiscard]] bool is_sent(TaskIndex map) const { return !sent.empty() && sent[map] != nowhere; }
    // It may be sent.
    [[nodiscard]] bool waits(TaskIndex map, const View& view) const {
      return !is_sent(map) && view.map_is_pending(job, map);
    }
  };

  void begin(std::size_t nodes) {
    of_node_.assign(nodes, {});
    named_.assign(nodes / 64 + 1, 0);
    dispatcher_ = Dispatcher(nodes);
  }
  // Sends waiting maps of the job to the granted containers, best first, as the dispatcher says. Returns
  // them, until the next call. O(containers + maps that are looked at: all of the job, or those with a block
  // on a granted node).
  std::span<const Dispatched> send(Maps& maps, std::span<const Grant> grants, const View& view);
  [[nodiscard]] bool any(NodeIndex node) const { return !of_node_[node].empty(); }
  // A bit for each node that some were sent to.
  [[nodiscard]] std::span<const std::uint64_t> named() const { return named_; }
  // The job's task that was sent there first; it is forgotten. O(tasks sent to the node).
  [[nodiscard]] std::optional<TaskIndex> take(JobIndex job, NodeIndex node) {
    std::vector<Sent>& there = of_node_[node];
    const auto first =
        std::find_if(there.begin(), there.end(), [&](const Sent& each) { return each.job == job; });
    if (first == there.end()) return std::nullopt;
    const TaskIndex task = first->task;
    there.erase(first);
    name(node);
    return task;
  }
  // Forgets those sent to the node of which `goes(Sent)` is true, and calls `gone(job, task)` for each.
  // O(tasks sent to the node).
  template <class Goes, class Gone>
  void revoke(NodeIndex node, Goes goes, Gone gone) {
    std::erase_if(of_node_[node], [&](const Sent& each) {
      if (!goes(each)) return false;
      gone(each.job, each.task);
      return true;
    });
    name(node);
  }

 private:
  void name(NodeIndex node) {
    const std::uint64_t bit = std::uint64_t{1} << (node % 64);
    std::uint64_t& word = named_[node / 64];
    word = of_node_[node].empty() ? word & ~bit : word | bit;
  }
  void queue_tasks(const Maps& of, const View& view);
  void queue_few_tasks(Maps& of, std::span<const Grant> grants, const View& view);

  std::vector<std::vector<Sent>> of_node_;
  std::vector<std::uint64_t> named_;
  // For one job at a time:
  Dispatcher dispatcher_{0};
  std::vector<NodeIndex> containers_;  // the node of each, best first
  std::vector<TaskIndex> may_go_;      // ascending
  std::vector<QueuedTask> queue_;
  Dispatched alone_;
};

}  // namespace wavewright
