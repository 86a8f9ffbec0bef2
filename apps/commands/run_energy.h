// A plan for little energy as `wavewright run` applies it: an order of submission, and for each job the node
// labels of YARN on whose nodes its maps and its reduces run.
//
// YARN divides its nodes into partitions: one for each label, and one for nodes without a label. A task asks
// for one of them. A plan may give a job tasks on several classes. Then each stage of it gets the label under
// which most of its time is spent when the plan is simulated.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/job/job.h"

namespace wavewright::app {

struct EnergyPlacement {
  std::string map_label, reduce_label;  // empty = nodes without a label
  // Classes of the cluster file that have other labels.
  std::set<std::string, std::less<>> no_maps, no_reduces;
};

struct EnergyOrder {
  std::vector<std::string> order;               // of submission: ids
  std::map<std::string, EnergyPlacement> jobs;  // by id
  std::vector<std::string> not_applied;         // parts of the plan that YARN cannot be told, as texts
};

// Does the file hold a plan for energy? Only a regular file may, as it is read twice.
[[nodiscard]] bool is_energy_plan(const std::string& file);

// `seed`: of the simulation. Throws UsageError without a cluster file of slots, whose classes the plan names;
// InputError if the plan is of another batch, or if it tells classes apart that have the same label or both
// none.
[[nodiscard]] EnergyOrder energy_order(const std::string& file, const Workload& workload,
                                       const std::optional<Cluster>& cluster, std::uint64_t seed);

}  // namespace wavewright::app
