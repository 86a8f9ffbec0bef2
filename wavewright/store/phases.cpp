#include "wavewright/store/phases.h"

#include <algorithm>

namespace wavewright {

std::vector<RunPhases> load_phases(const Store& store, const std::string& name, Count limit) {
  std::vector<RunPhases> phases;
  constexpr Count at_once = 1'000;  // a run is large, and costs as much to move
  phases.reserve(static_cast<std::size_t>(std::min(limit, at_once)));
  store.each_phases({.exact_name = name, .limit = limit},
                    [&](const RunHeader& /*run*/, RunPhases&& one) { phases.push_back(std::move(one)); });
  return phases;
}

std::map<std::string, std::vector<RunPhases>> load_all_phases(const Store& store) {
  std::map<std::string, std::vector<RunPhases>> phases;
  store.each_phases(
      {}, [&](const RunHeader& run, RunPhases&& one) { phases[run.name].push_back(std::move(one)); });
  return phases;
}

}  // namespace wavewright
