// Nodes that leave a simulated cluster and come back: outages, stays of rented machines.
#pragma once

#include <algorithm>
#include <vector>

#include "wavewright/sim/nodes/job_lifecycle.h"

namespace wavewright::sim {

class NodeChanges {
 public:
  NodeChanges(World& world, ResourceManager& resources, JobLifecycle& lifecycle)
      : w_(world),
        resources_(resources),
        lifecycle_(lifecycle),
        away_(world.model.changes.empty() ? 0 : world.model.topology.size()) {}

  [[nodiscard]] std::uint64_t next() const {
    return changed_ < w_.model.changes.size() ? w_.model.changes[changed_].at : NodeJob::never;
  }
  [[nodiscard]] bool is_away(NodeIndex node) const { return !away_.empty() && away_[node] > 0; }
  [[nodiscard]] Count nodes_away() const {
    return std::count_if(away_.begin(), away_.end(), [](std::uint32_t outages) { return outages > 0; });
  }

  // Applies those of this instant.
  void apply() {
    for (; next() == w_.now_ms; ++changed_) {
      const NodeIndex node = w_.model.changes[changed_].node;
      if (!w_.model.changes[changed_].up) {
        if (away_[node]++ == 0) lose(node);
      } else if (--away_[node] == 0) {
        resources_.restore(node);
        w_.tell({.what = Event::What::node_up, .node = node});
      }
    }
  }

  // What runs there is lost, and so are the outputs of maps that some reduce has still to fetch.
  void lose(NodeIndex node);

 private:
  World& w_;
  ResourceManager& resources_;
  JobLifecycle& lifecycle_;
  std::vector<std::uint32_t> away_;  // by node: outages that it is in
  std::size_t changed_ = 0;          // of the model's changes
};

}  // namespace wavewright::sim
