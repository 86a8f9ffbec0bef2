// Free memory and cores of the nodes of a cluster with containers.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "wavewright/sim/nodes/world.h"

namespace wavewright::sim {

class FreeRoom {
 public:
  using Room = NodeModel::Room;

  // All nodes are present and empty. `world` must outlive it; its free cores are kept up to date.
  FreeRoom(World& world, const NodeReservations& rule)
      : w_(world),
        least_(world.model.least_to_offer(rule.by_capacity)),
        on_class_(world.ledger.reserves() ? world.model.topology.classes.size() : 0),
        offering_(world.model.topology.size(), false),
        closed_(world.model.topology.size(), false) {
    for (NodeIndex node = 0; node < world.model.topology.size(); ++node) {
      room_.push_back(world.model.room_of(node));
      cores_.push_back(world.model.cores_on(node));
      join(node);
    }
  }

  [[nodiscard]] bool fits(NodeIndex node, const Room& asked) const { return room_[node].holds(asked); }
  // Of nodes that are present and not closed: memory in MiB, in all and by class (if a policy reserves some);
  // their number.
  [[nodiscard]] Count memory() const { return memory_; }
  [[nodiscard]] std::span<const Count> on_classes() const { return on_class_; }
  [[nodiscard]] Count present() const { return present_; }
  // Nodes, present and not closed, that may have room for a container, or be reserved for one.
  [[nodiscard]] const NumberSet& offering() const { return offering_; }

  // A container of the kind begins, or its end is reported; `away`: its node is not present any more.
  void take(NodeIndex node, const Room& room, Kind kind) {
    room_[node] -= room;
    cores_[node] -= w_.model.cores_of(kind);
    count(node, -room.memory, -w_.model.cores_of(kind));
    if (room_[node].memory < least_) offering_.erase(node);
  }
  void give_back(NodeIndex node, const Room& room, Kind kind, bool away) {
    room_[node] += room;
    cores_[node] += w_.model.cores_of(kind);
    if (away || closed_[node]) return;
    count(node, room.memory, w_.model.cores_of(kind));
    if (room_[node].memory >= least_ && !offering_.contains(node)) offering_.insert(node);
  }

  // Its containers go on; their room is not given out again until the node joins anew.
  void close(NodeIndex node) {
    leave(node);
    closed_[node] = true;
  }
  void leave(NodeIndex node) {
    if (closed_[node]) return;
    --present_;
    count(node, -room_[node].memory, -cores_[node]);
    if (offering_.contains(node)) offering_.erase(node);
  }
  void join(NodeIndex node) {
    closed_[node] = false;
    ++present_;
    count(node, room_[node].memory, cores_[node]);
    if (room_[node].memory >= least_) offering_.insert(node);
  }

 private:
  void count(NodeIndex node, Count memory, Count cores) {
    memory_ += memory;
    w_.free_cores += cores;
    if (!on_class_.empty()) on_class_[w_.node_class(node)] += memory;
  }

  World& w_;
  const Count least_;  // free memory of a node that offers, MiB
  Count memory_ = 0;
  Count present_ = 0;
  std::vector<Count> on_class_;
  NumberSet offering_;
  std::vector<bool> closed_;
  std::vector<Room> room_;
  std::vector<Count> cores_;
};

}  // namespace wavewright::sim
