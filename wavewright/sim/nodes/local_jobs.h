// Jobs by the nodes that hold blocks of their maps, for placers that search a node for its own maps.
//
// Example: 4,000 nodes and 300 waiting jobs; a node with a free slot holds blocks of three of them. Only
// these three are looked at, not all 300.
#pragma once

#include <optional>
#include <vector>

#include "wavewright/sched/ledger/order_tree.h"
#include "wavewright/sim/nodes/allocation.h"

namespace wavewright::sim {

class LocalJobs {
 public:
  LocalJobs(World& world, Allocation& allocation)
      : w_(world),
        allocation_(allocation),
        on_(world.placer != nullptr && world.placer->searches_nodes() && world.model.places),
        on_node_(on_ ? world.model.topology.size() : 0),
        listed_(on_ ? world.jobs.size() : 0) {}

  [[nodiscard]] bool on() const { return on_; }

  // The job has maps to start. O(its blocks) the first time, then O(1).
  void add(JobIndex job);

  // The first eligible job, in the order of the maps' tree, with a pending map that has a block on the node,
  // and that map. Equal to a search through all jobs. O(jobs with blocks on the node).
  [[nodiscard]] std::optional<TaskChoice> first(NodeIndex node);

 private:
  // True if no map of the job can become local to the node again.
  [[nodiscard]] static bool over(const NodeJob& job) { return job.settled || !job.local; }
  [[nodiscard]] bool may_start(JobIndex job, NodeIndex node);

  World& w_;
  Allocation& allocation_;
  const bool on_;
  std::vector<std::vector<JobIndex>> on_node_;  // in no order; some may have no map left there
  std::vector<std::uint8_t> listed_;            // by job
};

}  // namespace wavewright::sim
