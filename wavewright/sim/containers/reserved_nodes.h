// Nodes reserved for jobs. If a job's next container does not fit on a node, the node may be reserved: it
// then gives room to no other job until the container fits, or the job asks for nothing more [Hadoop,
// FSAppAttempt.reserve, LeafQueue].
#pragma once

#include <unordered_map>
#include <vector>

#include "wavewright/sim/nodes/world.h"

namespace wavewright::sim {

class ReservedNodes {
 public:
  static constexpr JobIndex nobody = ~JobIndex{0};

  ReservedNodes(World& world, const NodeReservations& rule)
      : w_(world), rule_(rule), job_of_(world.model.topology.size(), nobody) {}

  [[nodiscard]] JobIndex job_of(NodeIndex node) const { return job_of_[node]; }

  // True if the rule lets the job reserve the node for its next container, one of the kind. `present`: nodes.
  [[nodiscard]] bool allows(NodeIndex node, const NodeJob& state, Kind next, Count present) const {
    if (state.reserved >= state.asked[0] + state.asked[1] + state.asked[2]) return false;
    const Count least = rule_.least_multiple * w_.model.minimum_allocation();
    if (state.request[static_cast<std::size_t>(next)].memory < least) return false;
    if (static_cast<double>(state.reserved) < rule_.nodes * static_cast<double>(present)) return true;
    return next == Kind::map && !state.failed_maps && state.local &&
           state.local->closest(node, Locality::node).has_value();
  }
  void reserve(NodeIndex node, JobIndex index) {
    job_of_[node] = index;
    nodes_of_[index].push_back(node);
    ++w_.jobs[index].reserved;
  }
  void release(NodeIndex node) {
    if (job_of_[node] == nobody) return;
    --w_.jobs[job_of_[node]].reserved;
    std::erase(nodes_of_[job_of_[node]], node);
    job_of_[node] = nobody;
  }
  // The job asks for nothing more. O(its nodes).
  void release_all_of(JobIndex index) {
    for (const NodeIndex node : nodes_of_[index]) job_of_[node] = nobody;
    nodes_of_.erase(index);
    w_.jobs[index].reserved = 0;
  }

 private:
  World& w_;
  const NodeReservations rule_;
  std::vector<JobIndex> job_of_;
  std::unordered_map<JobIndex, std::vector<NodeIndex>> nodes_of_;
};

}  // namespace wavewright::sim
