// Declared power times the utilisation of the processors, where a machine has no meter. No measurement: its
// source is `declared/CLASS`, and whoever reads its samples says so.
//
//     P(u) = idle + u · (busy − idle)              by power_idle_w and power_busy_w of the class
//     P(u) = the curve at u · slots tasks          by power_curve_w, linear between its entries
//
// u is the share of processor time that was neither idle, nor waiting for a disk, nor taken by other virtual
// machines, from one reading to the next (/proc/stat, proc(5)).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/energy/meters/meter.h"

namespace wavewright {

inline constexpr const char* proc_folder = "/proc";
inline constexpr const char* declared_prefix = "declared/";  // of the names of its sources

struct DeclaredPower {
  std::string node_class;
  Milliwatts idle = 0;
  std::vector<Milliwatts> above_idle;  // with 1, 2, … of `tasks` tasks; more tasks draw the last
  Count tasks = 1;                     // with all processors busy

  // mW. `utilisation` from 0 to 1. O(1).
  [[nodiscard]] double at(double utilisation) const;
};

// That of the class, or without one (empty) of the row that names the host, or of the only class. Of a class
// with several rows, that of the row that names the host, else of the first. Throws UsageError where there is
// no such class, or it declares neither busy power nor a curve. `file`: for messages.
[[nodiscard]] DeclaredPower declared_power(const Cluster& cluster, const std::string& node_class,
                                           const std::string& host, const std::string& file);

// `what`: CLUSTER.toml or CLUSTER.toml:CLASS. `proc`: the folder with the file `stat`. Throws as
// declared_power and the reader of cluster files do, and ExternalError where the times cannot be read.
[[nodiscard]] std::unique_ptr<Meter> open_declared(const std::string& what, const std::string& host,
                                                   const std::filesystem::path& proc = proc_folder);

}  // namespace wavewright
