// The cluster file in TOML (docs/formats/cluster-file.md).
//
//     [[nodes]]
//     count = 16
//     map_slots = 4
//     reduce_slots = 2
//
// Errors are InputError with `file:line`: unknown keys (with the nearest known one), values of a wrong type,
// negative or not finite, zero counts, node groups that offer nothing in the cluster's mode.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "wavewright/cluster/cluster.h"

namespace wavewright {

[[nodiscard]] Cluster read_cluster(const std::filesystem::path& path);

// `source` names the text in errors.
[[nodiscard]] Cluster parse_cluster(std::string_view toml, const std::string& source);

// Writes every value, defaults included. Reading the text back gives an equal cluster.
[[nodiscard]] std::string to_toml(const Cluster& cluster);

}  // namespace wavewright
