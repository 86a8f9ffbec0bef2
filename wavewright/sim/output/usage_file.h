// Writes the use of a simulated cluster to files (columns: docs/use/simulation.md).
#pragma once

#include <filesystem>

#include "wavewright/sim/metrics/usage.h"

namespace wavewright {

// CSV for `.csv`, JSON Lines for `.jsonl`; throws UsageError for another ending.
void write_node_usage(const std::filesystem::path& path, const std::vector<NodeUsage>& usage,
                      const SimulationResult& result, const Cluster& cluster);
void write_interval_usage(const std::filesystem::path& path, const std::vector<IntervalUsage>& usage,
                          const Cluster& cluster);

}  // namespace wavewright
