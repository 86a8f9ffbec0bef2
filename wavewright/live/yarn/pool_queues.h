// The pools of a plan as queues of the Capacity scheduler [HP §IV-C], for as long as a batch runs.
//
// Each pool becomes a leaf queue below one parent. Its capacity is its part of the plan's slots, its maximum
// the same, so that a pool is a pool. The parent's other children give way: their capacities are scaled to
// what is left, and put back as they were in the same change that removes the pools' queues.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/live/yarn/scheduler_conf.h"
#include "wavewright/sched/plan.h"

namespace wavewright {

struct PoolQueue {
  std::string name;      // of the leaf; unique in the cluster, so that any YARN finds it by this name alone
  std::string capacity;  // percent of the parent, as it is written
  std::vector<std::pair<std::string, std::string>> settings = {};  // more of them, by key
  std::vector<std::string> jobs = {};                              // ids
  // Percent of it that application masters may have; absent = as of the other queues (PoolQueues::masters).
  std::optional<double> masters = {};

  friend bool operator==(const PoolQueue&, const PoolQueue&) = default;
};

// A child of the parent whose capacity changes meanwhile. Texts as they are written, in percent.
struct SiblingQueue {
  std::string path;
  std::string before, meanwhile;

  friend bool operator==(const SiblingQueue&, const SiblingQueue&) = default;
};

struct PoolQueues {
  std::string parent;  // path from `root`
  std::vector<PoolQueue> queues = {};
  std::vector<SiblingQueue> siblings = {};
  double masters = 10;   // percent of each queue that application masters may have, unless it says otherwise
  bool removed = false;  // as the store has it: they are no more

  [[nodiscard]] std::string path(const PoolQueue& queue) const { return parent + "." + queue.name; }
  friend bool operator==(const PoolQueues&, const PoolQueues&) = default;
};

struct PoolQueuesRequest {
  std::string parent;   // with or without `root.`
  double share = 100;   // percent of the parent for all pools together; above 0
  std::string tag;      // of the batch, from which the names are made
  bool plugin = false;  // they get the ordering policy of a sibling that the plug-in orders
};

// The queues that the pools of the plan would be. Throws UsageError if the parent is none or has no
// children, if their capacities are not in percent or do not sum to 100, if a name is there already, or if no
// sibling has the plug-in that is asked for. O(pools + siblings).
[[nodiscard]] PoolQueues pool_queues(const Plan& plan, const PoolQueuesRequest& request,
                                     const SchedulerConf& conf);

// Memory that containers of one pool ask for, in MiB.
struct PoolMasters {
  Count at_once = 0;  // most memory of masters that run at the same time; 0 = not known
  Count task = 0;     // of the largest task
  Count slots = 0;    // of a task in each slot that the plan gives the pool; 0 = not known
  Count master = 0;   // of the largest master
};

// The step of containers' memory in MiB: requests are rounded up to it.
[[nodiscard]] Count memory_step(const Cluster& cluster);

// The same queues with room for those masters, one entry a pool. The Capacity scheduler lets the masters of a
// queue have a part of it, by default a tenth, and a small pool would run one job after another. A queue gets
// no less than its parent and the others have, but never so much that masters alone leave no room for the
// largest task: they would wait for it for ever. Where the masters that a plan has at a time would take the
// memory of its slots, a queue has room for as many as fit beside these, and for two at least. A queue for
// which the scheduler states a part keeps it, and so does one of which nothing is known. `cluster`: for the
// memory that the pools share. O(pools + nodes).
[[nodiscard]] PoolQueues with_masters(PoolQueues pools, const std::vector<PoolMasters>& needed,
                                      const Cluster& cluster, const SchedulerConf& conf);

// The same queues with the siblings as they are now. Throws as pool_queues does.
[[nodiscard]] PoolQueues with_siblings_of(PoolQueues pools, const SchedulerConf& conf);

// The changes that make them, stop them (so that they can be removed), and remove them.
[[nodiscard]] SchedulerChange adding(const PoolQueues& pools);
[[nodiscard]] SchedulerChange stopping(const PoolQueues& pools);
[[nodiscard]] SchedulerChange removing(const PoolQueues& pools);

// How many of the pools' queues are there.
[[nodiscard]] std::size_t present(const PoolQueues& pools, const SchedulerConf& conf);
// Why the siblings cannot be put back as they were, for people: another administrator has changed them. Empty
// if they can.
[[nodiscard]] std::string changed_siblings(const PoolQueues& pools, const SchedulerConf& conf);

// The cluster with the pools' queues, for a simulation. Queues of its file that the ResourceManager does not
// have stay as they are.
[[nodiscard]] Cluster with_pool_queues(Cluster cluster, const PoolQueues& pools);

}  // namespace wavewright
