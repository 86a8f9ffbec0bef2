#include "wavewright/store/phases.h"

namespace wavewright {

std::vector<RunPhases> load_phases(const Store& store, const std::string& name) {
  std::vector<RunPhases> phases;
  store.each_run({.name = name}, [&](JobRun&& run) {
    // The filter ignores case and takes a `*` in the name for any text.
    if (run.name == name) phases.push_back(phases_of(run));
  });
  return phases;
}

std::map<std::string, std::vector<RunPhases>> load_all_phases(const Store& store) {
  std::map<std::string, std::vector<RunPhases>> phases;
  store.each_run({}, [&](JobRun&& run) { phases[run.name].push_back(phases_of(run)); });
  return phases;
}

}  // namespace wavewright
