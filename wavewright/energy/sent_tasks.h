// The tasks that EFH has sent to nodes and that did not start yet (energy/efh.h). Each keeps a container of
// its node taken.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
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
    of_node_.assign(nodes, none);
    listed_.clear();
    free_ = none;
    named_.assign(nodes / 64 + 1, 0);
    dispatcher_ = Dispatcher(nodes);
  }
  // Sends waiting maps of the job to the granted containers, best first, as the dispatcher says. Returns
  // them, until the next call. O(containers + maps that are looked at: all of the job, or those with a block
  // on a granted node).
  std::span<const Dispatched> send(Maps& maps, std::span<const Grant> grants, const View& view);
  [[nodiscard]] bool any(NodeIndex node) const { return of_node_[node] != none; }
  // The job whose tasks these are, if it is one. O(tasks sent to the node).
  [[nodiscard]] std::optional<JobIndex> only_job(NodeIndex node) const {
    if (of_node_[node] == none) return std::nullopt;
    const JobIndex job = listed_[of_node_[node]].sent.job;
    for (std::uint32_t at = of_node_[node]; at != none; at = listed_[at].next) {
      if (listed_[at].sent.job != job) return std::nullopt;
    }
    return job;
  }
  // A bit for each node that some were sent to.
  [[nodiscard]] std::span<const std::uint64_t> named() const { return named_; }
  // The job's task that was sent there first; it is forgotten. O(tasks sent to the node).
  [[nodiscard]] std::optional<TaskIndex> take(JobIndex job, NodeIndex node) {
    for (std::uint32_t* at = &of_node_[node]; *at != none; at = &listed_[*at].next) {
      if (listed_[*at].sent.job != job) continue;
      const TaskIndex task = listed_[*at].sent.task;
      remove(*at);
      name(node);
      return task;
    }
    return std::nullopt;
  }
  // Forgets those sent to the node of which `goes(Sent)` is true, and calls `gone(job, task)` for each.
  // O(tasks sent to the node).
  template <class Goes, class Gone>
  void revoke(NodeIndex node, Goes goes, Gone gone) {
    for (std::uint32_t* at = &of_node_[node]; *at != none;) {
      const Sent each = listed_[*at].sent;
      if (goes(each)) {
        gone(each.job, each.task);
        remove(*at);
      } else {
        at = &listed_[*at].next;
      }
    }
    name(node);
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Listed {
    Sent sent;
    std::uint32_t next = none;  // of the same node, or of those that are free
  };

  void name(NodeIndex node) {
    const std::uint64_t bit = std::uint64_t{1} << (node % 64);
    std::uint64_t& word = named_[node / 64];
    word = any(node) ? word | bit : word & ~bit;
  }
  void add(NodeIndex node, const Sent& sent) {
    std::uint32_t at = free_;
    if (at == none) {
      at = static_cast<std::uint32_t>(listed_.size());
      listed_.emplace_back();
    } else {
      free_ = listed_[at].next;
    }
    listed_[at] = {sent, none};
    std::uint32_t* last = &of_node_[node];
    while (*last != none) last = &listed_[*last].next;
    *last = at;
    name(node);
  }
  // `link`: what leads to it.
  void remove(std::uint32_t& link) {
    const std::uint32_t at = link;
    link = listed_[at].next;
    listed_[at].next = std::exchange(free_, at);
  }
  void queue_tasks(const Maps& of, const View& view);
  void queue_few_tasks(Maps& of, std::span<const Grant> grants, const View& view);

  std::vector<std::uint32_t> of_node_;  // by node: the first that was sent there
  std::vector<Listed> listed_;
  std::uint32_t free_ = none;  // the first that is free
  std::vector<std::uint64_t> named_;
  // For one job at a time:
  Dispatcher dispatcher_{0};
  std::vector<NodeIndex> containers_;  // the node of each, best first
  std::vector<TaskIndex> may_go_;      // ascending
  std::vector<QueuedTask> queue_;
  Dispatched alone_;
};

}  // namespace wavewright
