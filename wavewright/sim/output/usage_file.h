// Use of the simulated cluster as files (docs/use/simulation.md describes the columns).
#pragma once

#include <filesystem>

#include "wavewright/sim/metrics/usage.h"

namespace wavewright {

// CSV, or JSON Lines where the name ends in `.jsonl`; any other ending than `.csv` is a UsageError.
void write_node_usage(const std::filesystem::path& path, const std::vector<NodeUsage>& usage,
                      const SimulationResult& result, const Cluster& cluster);
void write_interval_usage(const std::filesystem::path& path, const std::vector<IntervalUsage>& usage,
                          const Cluster& cluster);

}  // namespace wavewright
