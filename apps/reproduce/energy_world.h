// UNL's cluster of 6 CPU and 2 GPU servers, and what an experiment on it needs [UNL §6.3.1].
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "apps/context.h"
#include "wavewright/cluster/cluster.h"

namespace wavewright::app {

struct EnergyWorld {
  Cluster cluster;
  std::map<std::string, std::string> settings;
  std::vector<std::pair<std::string, std::string>> policies;  // name of keys, policy
  double experiment_h = 0, other_w = 0;                       // not read here: not all experiments have them
};

// The first row are the CPU servers. `json`: inputs of an entry of reproduce/.
[[nodiscard]] EnergyWorld read_energy_world(const Json& json);

inline constexpr double ms_per_h = 3.6e6, per_cent = 100;

[[nodiscard]] Duration seconds_of(const Json& json);

}  // namespace wavewright::app
