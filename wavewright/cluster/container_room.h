// What the nodes of a cluster with containers have, and how long its containers wait. For policies that
// promise deadlines.
#pragma once

#include <vector>

#include "wavewright/cluster/cluster.h"

namespace wavewright {

struct ContainerRoom {
  struct Nodes {
    Count nodes = 0;
    Count memory = 0;     // MiB, of each
    bool rented = false;  // present only while a policy rents them
  };
  std::vector<Nodes> rows{};  // of the cluster file, in order: nodes are numbered through them
  // Each container counts as so many MiB at least. Where cores limit containers, too, one that takes a part
  // of a node's cores counts as that part of its memory, on the row where this is most: then what fits by
  // memory fits by cores.
  Count least_master = 1, least_map = 1, least_reduce = 1;
  Duration asks{};        // interval at which masters ask for containers and fetch them
  Duration stop{};        // from a job's end to that of its master's container
  bool gives_all = true;  // a node gives at each report as many containers as it has room for
};

// O(rows). Slots have none: no rows.
[[nodiscard]] ContainerRoom container_room(const Cluster& cluster);

}  // namespace wavewright
