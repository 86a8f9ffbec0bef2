// Rows of the cluster file: `[[queues]]`, `[[nodes]]`, `[[outages]]`, `[classes.NAME]`. Each throws
// InputError, with the file and the place in it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/toml_table.h"

namespace wavewright {

// Limits of numbers in the file.
inline constexpr std::int64_t most_slots = 1'000'000;  // per node
inline constexpr std::int64_t longest_wait_ms = 3'600'000;
inline constexpr std::int64_t most_megabytes = 1'000'000'000;  // per node or block

// The parent must be one of the queues `before`.
[[nodiscard]] Queue read_queue(const toml::table& toml, const std::vector<Queue>& before,
                               ClusterMode::Kind mode, const std::string& source);
[[nodiscard]] NodeClass read_class(const toml::table& toml, const std::string& name,
                                   const std::string& source);
// `number`: the row's, from 1. `classes`: by name.
[[nodiscard]] NodeGroup read_group(const toml::table& toml, std::size_t number, ClusterMode::Kind mode,
                                   const std::map<std::string, NodeClass>& classes,
                                   const std::string& source);
// `[[0, 300], [3600000, 120]]`: from ms, grams per kWh.
[[nodiscard]] std::vector<CarbonIntensity> read_carbon(const toml::table& toml, const std::string& source);
[[nodiscard]] Outage read_outage(const toml::table& toml, std::size_t number, const std::string& source);

}  // namespace wavewright
