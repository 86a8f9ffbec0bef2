// The laws of containers, checked on the records of a run and on nothing of the engines: no node gives more
// than it has, masters before tasks, reduces after maps, every task done once, lengths to the millisecond.
#pragma once

#include <string>
#include <vector>

#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {

// The laws that a traced run breaks, each in a line; empty if it breaks none. Throws std::invalid_argument if
// the run has something that the laws do not cover: stragglers, speculation, shared launches and networks,
// spot prices, rented machines, classes with a speed of their own. O(records² of a job + records · log
// records).
[[nodiscard]] std::vector<std::string> broken_laws(const Workload& workload, const Cluster& cluster,
                                                   const SimulationResult& result);

}  // namespace wavewright
