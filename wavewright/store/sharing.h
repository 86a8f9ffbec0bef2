// Finds runs that shared the cluster with others.
#pragma once

#include <set>
#include <span>
#include <string>

#include "wavewright/store/store.h"

namespace wavewright {

// Ids of the runs during which another run of the same cluster was active, between submission and finish. The
// number in a job's id identifies the cluster. A prediction for a job alone says little about such runs: they
// also waited for others. O(runs · log runs).
[[nodiscard]] std::set<std::string> shared_runs(std::span<const RunStay> runs);

// Of all runs of the store.
[[nodiscard]] std::set<std::string> shared_runs(const Store& store);

// Of the store's runs between the first submission and the last finish of these. Runs without both instants
// are ignored.
[[nodiscard]] std::set<std::string> shared_runs(const Store& store, std::span<const RunPhases> runs);

}  // namespace wavewright
