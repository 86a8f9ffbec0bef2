// Nodes that leave and join: outages, stays of the cluster's file, and machines rented during the run.
#pragma once

#include <algorithm>
#include <functional>
#include <queue>
#include <vector>

#include "wavewright/sim/model/lease_book.h"
#include "wavewright/sim/nodes/job_lifecycle.h"

namespace wavewright::sim {

class NodeChanges {
 public:
  NodeChanges(World& world, ResourceManager& resources, JobLifecycle& lifecycle);

  // Withdraws the machines that may be rented. Call before the first event.
  void begin();

  [[nodiscard]] std::uint64_t next() const {
    if (away_.empty()) return NodeJob::never;
    return std::min(changed_ < w_.model.changes.size() ? w_.model.changes[changed_].at : NodeJob::never,
                    w_.leases.next());
  }
  [[nodiscard]] bool is_away(NodeIndex node) const { return !away_.empty() && away_[node] > 0; }
  [[nodiscard]] Count nodes_away() const;  // of those that are not for rent
  // Applies the changes of this instant, those of the cluster's file first.
  void apply() {
    if (!away_.empty()) apply_due();
  }
  // Nodes that are away from the beginning leave before the first job comes. Call once, at 0.
  void first_absences() {
    if (!away_.empty()) apply_file();
  }

 private:
  void apply_due();
  void apply_file();  // changes of the cluster's file at this instant
  void leave(NodeIndex node, LeaseId lease);
  void join(NodeIndex node, LeaseId lease);
  void notice(const LeaseBook::Change& change);
  void mark_closed(NodeIndex node, bool closed) {
    w_.closed_nodes.resize(away_.size());
    w_.closed_nodes[node] = closed;
  }
  // Attempts on the node are lost and, unless the cluster keeps them, map outputs.
  void lose(NodeIndex node, LeaseId lease);
  // Finished maps on the node run again if their job has maps to end or reduces to start. O(m · log m), m
  // those that ended there.
  void lose_outputs(NodeIndex node);

  World& w_;
  ResourceManager& resources_;
  JobLifecycle& lifecycle_;
  std::vector<std::uint32_t> away_;  // by node: number of reasons to be away; empty if all nodes stay
  std::vector<bool> noticed_;        // by node: rented, and the market takes it soon
  std::size_t changed_ = 0;          // number of the model's changes applied
};

}  // namespace wavewright::sim
