#include "wavewright/cluster/cluster.h"

namespace wavewright {

SlotPool Cluster::total_slots() const {
  SlotPool total;
  for (const NodeGroup& group : nodes) {
    total.map_slots += group.count * group.slots.map_slots;
    total.reduce_slots += group.count * group.slots.reduce_slots;
  }
  return total;
}

Bytes Cluster::total_memory() const {
  Bytes total;
  if (mode.kind == ClusterMode::Kind::slots) return total;
  for (const NodeGroup& group : nodes) total.count += group.count * group.memory.count;
  return total;
}

Cluster flat_cluster(SlotPool pool) {
  NodeGroup node;
  node.slots = pool;
  Cluster cluster;
  cluster.nodes.push_back(node);
  return cluster;
}

}  // namespace wavewright
