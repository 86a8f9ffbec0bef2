// Finds runs that shared the cluster with others.
#pragma once

#include <set>
#include <span>
#include <string>

#include "wavewright/store/store.h"

namespace wavewright {

// Ids of the runs during which another run of the same cluster was active, between submission and finish. The
// number in a job's id identifies the cluster; runs without both instants are ignored. A prediction for a job
// alone says little about such runs: they also waited for others. O(runs · log runs).
[[nodiscard]] std::set<std::string> shared_runs(std::span<const RunHeader> runs);

}  // namespace wavewright
