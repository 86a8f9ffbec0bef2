// Rows of the cluster file: `[[queues]]`, `[[nodes]]`, `[[outages]]`. Each throws InputError, with the file
// and the place in it.
#pragma once

#include <cstdint>
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
// `number`: the row's, from 1.
[[nodiscard]] NodeGroup read_group(const toml::table& toml, std::size_t number, ClusterMode::Kind mode,
                                   const std::string& source);
[[nodiscard]] Outage read_outage(const toml::table& toml, std::size_t number, const std::string& source);

}  // namespace wavewright
