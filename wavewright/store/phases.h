// Loads the stored runs of a job by phase, for profiles and predictions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "wavewright/profile/run_phases.h"
#include "wavewright/store/store.h"

namespace wavewright {

// Runs of exactly that name, newest first, at most `limit`: older ones would describe other times.
[[nodiscard]] std::vector<RunPhases> load_phases(const Store& store, const std::string& name,
                                                 Count limit = 1'000);

[[nodiscard]] std::map<std::string, std::vector<RunPhases>> load_all_phases(const Store& store);

}  // namespace wavewright
