#include "wavewright/sim/output/usage_file.h"

#include "wavewright/cluster/topology.h"
#include "wavewright/core/records.h"

namespace wavewright {

namespace {

// busy / offered, of memory. `busy`: MiB · s.
double part(double busy, Bytes memory, Duration time) {
  const double offered = static_cast<double>(memory.count >> 20) * static_cast<double>(to_ms(time)) / 1000;
  return offered > 0 ? busy / offered : 0;
}

// busy / offered; 0 if nothing is offered.
double part(Duration busy, Count slots, Duration time) {
  const double offered = static_cast<double>(slots) * static_cast<double>(to_ms(time));
  return offered > 0 ? static_cast<double>(to_ms(busy)) / offered : 0;
}

}  // namespace

void write_node_usage(const std::filesystem::path& path, const std::vector<NodeUsage>& usage,
                      const SimulationResult& result, const Cluster& cluster) {
  const Topology topology = expand(cluster);
  const NodesOfTasks nodes(result.nodes, cluster);
  std::vector<std::vector<Field>> rows;
  for (const NodeUsage& node : usage) {
    const NodeGroup& group = cluster.nodes[topology.group[node.node]];
    rows.push_back({nodes.names()[node.node], group.rack, group.node_class, node.maps, node.reduces,
                    node.masters, to_ms(node.map_busy), to_ms(node.reduce_busy), node.memory_busy,
                    part(node.map_busy, group.slots.map_slots, result.makespan),
                    part(node.reduce_busy, group.slots.reduce_slots, result.makespan),
                    part(node.memory_busy, group.memory, result.makespan), node.energy_j, node.cost_usd});
  }
  write_records(
      path,
      {"node", "rack", "class", "maps", "reduces", "masters", "map_busy_ms", "reduce_busy_ms", "memory_mb_s",
       "map_utilisation", "reduce_utilisation", "memory_utilisation", "energy_j", "cost_usd"},
      rows);
}

void write_interval_usage(const std::filesystem::path& path, const std::vector<IntervalUsage>& usage,
                          const Cluster& cluster) {
  const SlotPool slots = cluster.total_slots();
  std::vector<std::vector<Field>> rows;
  for (const IntervalUsage& each : usage) {
    const Duration time = each.to - each.from;
    rows.push_back(
        {to_ms(each.from), to_ms(each.to), to_ms(each.map_busy), to_ms(each.reduce_busy), each.memory_busy,
         part(each.map_busy, slots.map_slots, time), part(each.reduce_busy, slots.reduce_slots, time),
         part(each.memory_busy, cluster.total_memory(), time), each.arrived, each.finished, each.waiting,
         each.running, each.energy_j, each.cost_usd, each.node_local, each.rack_local, each.off_rack});
  }
  write_records(path,
                {"from_ms", "to_ms", "map_busy_ms", "reduce_busy_ms", "memory_mb_s", "map_utilisation",
                 "reduce_utilisation", "memory_utilisation", "arrived", "finished", "waiting", "running",
                 "energy_j", "cost_usd", "node_local", "rack_local", "off_rack"},
                rows);
}

}  // namespace wavewright
