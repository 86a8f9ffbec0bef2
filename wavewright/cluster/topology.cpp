#include "wavewright/cluster/topology.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

std::uint32_t index_of(std::vector<std::string>& names, const std::string& name) {
  const auto index = std::find(names.begin(), names.end(), name) - names.begin();
  if (static_cast<std::size_t>(index) == names.size()) names.push_back(name);
  return static_cast<std::uint32_t>(index);
}

void check_names(const Topology& topology) {
  std::unordered_set<std::string> seen;
  for (const std::string& name : topology.names) {
    if (!seen.insert(name).second) {
      throw InputError({}, "two nodes of the cluster are called '" + name + "'",
                       "give each host a name of its own");
    }
  }
}

}  // namespace

std::string node_name(const NodeGroup& group, std::size_t place, std::size_t node) {
  return place < group.hosts.size() ? group.hosts[place] : fmt::format("node{}", node + 1);
}

Topology expand(const Cluster& cluster) {
  Topology topology;
  bool named = false;
  for (std::size_t row = 0; row < cluster.nodes.size(); ++row) {
    const NodeGroup& group = cluster.nodes[row];
    topology.node_class.push_back(index_of(topology.classes, group.node_class));
    const std::uint32_t rack = index_of(topology.racks, group.rack);
    topology.members.resize(topology.racks.size());
    const auto count = static_cast<std::size_t>(group.count);
    if (topology.names.size() + count > static_cast<std::size_t>(most_nodes)) {
      throw InputError({}, "the cluster has more than 10 million nodes", "describe fewer");
    }
    named = named || !group.hosts.empty();
    for (std::size_t i = 0; i < count; ++i) {
      const auto node = topology.size();
      topology.members[rack].push_back(node);
      topology.names.push_back(node_name(group, i, node));
      topology.group.push_back(static_cast<std::uint32_t>(row));
      topology.rack.push_back(rack);
    }
  }
  if (named) check_names(topology);
  return topology;
}

}  // namespace wavewright
