// Classes for rent that are states of the same machines, such as those of frequency scaling: a machine is in
// one of them at a time.
#pragma once

#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"

namespace wavewright {

using StateClasses = std::vector<std::string>;  // names of the classes of one set of machines

// Throws UsageError if a class is unknown, not for rent, named twice, or has another number of machines than
// the first of its set.
void check_states(const std::vector<StateClasses>& sets, const Cluster& cluster);

// The cluster without the machines in other states than the first of each set.
[[nodiscard]] Cluster in_first_states(Cluster cluster, const std::vector<StateClasses>& sets);

}  // namespace wavewright
