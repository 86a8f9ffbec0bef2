// The nodes of a cluster, one by one: groups in the file's order, their machines in a row.
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
  // By rack and by group.
  std::vector<std::string> racks;                   // in order of first mention
  std::vector<std::vector<std::uint32_t>> members;  // nodes of a rack, ascending
  std::vector<std::uint32_t> node_class;            // of a group: index into `classes`
  std::vector<std::string> classes;                 // 0 = the first group's

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(names.size()); }
};

// Throws InputError on two nodes of one name and on more than 10 million. O(nodes).
[[nodiscard]] Topology expand(const Cluster& cluster);

}  // namespace wavewright
