#include "wavewright/energy/plan/machine_states.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"

namespace wavewright {

namespace {

Count machines_for_rent(const std::string& name, const Cluster& cluster) {
  Count machines = 0;
  bool known = false;
  std::vector<std::string> names;
  for (const NodeGroup& group : cluster.nodes) {
    names.push_back(group.node_class);
    if (group.node_class != name) continue;
    known = true;
    if (!group.rent) {
      throw UsageError(fmt::format("class '{}' is a state of machines, but is not for rent", name),
                       "write rent = true in its rows of [[nodes]]");
    }
    machines += group.count;
  }
  if (!known) throw UsageError("no node has the class '" + name + "'", suggestion(name, names));
  return machines;
}

}  // namespace

void check_states(const std::vector<StateClasses>& sets, const Cluster& cluster) {
  std::set<std::string> named;
  for (const StateClasses& states : sets) {
    for (const std::string& name : states) {
      if (!named.insert(name).second)
        throw UsageError("class '" + name + "' is a state twice", "name it once");
      const Count own = machines_for_rent(name, cluster), first = machines_for_rent(states.front(), cluster);
      if (own == first) continue;
      throw UsageError(fmt::format("{} machines can be in state '{}', and {} in state '{}'", first,
                                   states.front(), own, name),
                       "give the classes of one set the same number of machines");
    }
  }
}

Cluster in_first_states(Cluster cluster, const std::vector<StateClasses>& sets) {
  for (const StateClasses& states : sets) {
    std::erase_if(cluster.nodes, [&](const NodeGroup& group) {
      const auto state = std::find(states.begin(), states.end(), group.node_class);
      return state != states.end() && state != states.begin();
    });
  }
  return cluster;
}

}  // namespace wavewright
