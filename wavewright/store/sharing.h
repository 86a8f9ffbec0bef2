// Which runs had the cluster to themselves.
#pragma once

#include <set>
#include <span>
#include <string>

#include "wavewright/store/store.h"

namespace wavewright {

// Ids of the runs between whose submission and finish another run of the same cluster was under way. A
// cluster is known by the number in its jobs' ids; runs without both instants are not seen. A prediction
// for a job alone says little of these: they also waited for others. O(runs · log runs).
[[nodiscard]] std::set<std::string> shared_runs(std::span<const RunHeader> runs);

}  // namespace wavewright
