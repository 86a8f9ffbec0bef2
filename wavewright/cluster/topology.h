// The nodes of a cluster one by one: groups in the order of the file, equal machines in a row.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"

namespace wavewright {

struct Topology {
  // By node.
  std::vector<std::string> names;
  std::vector<std::uint32_t> group;  // row of Cluster::nodes
  std::vector<std::uint32_t> rack;   // index into `racks`
  // By rack, then by group.
  std::vector<std::string> racks;                   // in order of first mention
  std::vector<std::vector<std::uint32_t>> members;  // by rack: its nodes, ascending
  std::vector<std::uint32_t> node_class;            // by group: index into `classes`
  std::vector<std::string> classes;                 // the first is that of the first group

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(names.size()); }
};

// The name of a node: its host, or `node` and its number in the cluster, from 1. `place`: in its group, from
// 0; `node`: in the cluster, from 0.
[[nodiscard]] std::string node_name(const NodeGroup& group, std::size_t place, std::size_t node);

// Throws InputError if two nodes have one name or there are more than 10 million. O(nodes).
[[nodiscard]] Topology expand(const Cluster& cluster);

}  // namespace wavewright
