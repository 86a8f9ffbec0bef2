#include "wavewright/cluster/container_room.h"

#include <algorithm>

namespace wavewright {

namespace {

Count mebibytes(Bytes bytes) {
  return bytes.count >> 20;
}

Count as_memory(Count cores, const Cluster& cluster) {
  Count most = 1;
  if (!cluster.containers.count_vcores) return most;
  for (const NodeGroup& group : cluster.nodes) {
    if (group.vcores > 0) most = std::max(most, divide_up(cores * mebibytes(group.memory), group.vcores));
  }
  return most;
}

}  // namespace

ContainerRoom container_room(const Cluster& cluster) {
  ContainerRoom room;
  if (cluster.mode.kind != ClusterMode::Kind::containers) return room;
  for (const NodeGroup& group : cluster.nodes)
    room.rows.push_back({group.count, mebibytes(group.memory), group.rent});
  const Containers& containers = cluster.containers;
  room.least_master = as_memory(containers.master.vcores, cluster);
  room.least_map = as_memory(containers.map.vcores, cluster);
  room.least_reduce = as_memory(containers.reduce.vcores, cluster);
  room.asks = cluster.masters.heartbeat;
  room.stop = cluster.masters.stop;
  const bool limited = containers.per_heartbeat > 0 || containers.off_switch_per_heartbeat > 0;
  room.gives_all = cluster.mode.heartbeat == Duration{} || !limited;
  return room;
}

}  // namespace wavewright
