// The stored runs of one job, phase by phase: what profiles and predictions start from.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "wavewright/profile/run_phases.h"
#include "wavewright/store/store.h"

namespace wavewright {

// Runs of exactly that name, the newest `limit`, newest first. A profile of more would tell of other times.
[[nodiscard]] std::vector<RunPhases> load_phases(const Store& store, const std::string& name,
                                                 Count limit = 1'000);

// Every run by its job's name.
[[nodiscard]] std::map<std::string, std::vector<RunPhases>> load_all_phases(const Store& store);

}  // namespace wavewright
