// A plan for little energy: an order of jobs, where their tasks may start and until when, and machines to
// switch on. `wavewright plan --objective energy --out` writes it; policy `energy-plan` executes it.
//
// Example: maps of `md` start on class `cpu` only in the first four hours, and on any other class at any
// time; at most two machines of class `cpu` are on at once, and an idle one stays on for a minute.
//
//   {"objective": "energy", "order": ["md"], "starts": [{"id": "md", "maps": {"cpu": 14400000}}],
//    "machines": [{"class": "cpu", "most": 2, "keep_ms": 60000}]}
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"
#include "wavewright/job/job.h"
#include "wavewright/job/task_order.h"

namespace wavewright {

// The instant from which on none of the job's tasks starts on a class; 0 = none ever does. Classes that are
// not named: at any time.
struct PlannedStarts {
  std::string id;
  std::map<std::string, Time> maps, reduces;  // by class

  friend bool operator==(const PlannedStarts&, const PlannedStarts&) = default;
};

// Machines of a class for rent. They are on while tasks wait that may start there, at most so many at once.
struct PlannedMachines {
  std::string node_class;
  Count most = 0;
  Duration keep{};  // an idle one stays on for so long

  friend bool operator==(const PlannedMachines&, const PlannedMachines&) = default;
};

struct EnergyPlan {
  // The schedule of this policy instead, such as `efh(threshold=60s)`. Then the rest is empty.
  std::string policy;
  std::vector<std::string> order;  // every job once, first served first
  TaskOrder task_order = TaskOrder::as_listed;
  std::vector<PlannedStarts> starts;
  std::vector<PlannedMachines> machines;  // classes for rent that are not named stay off

  friend bool operator==(const EnergyPlan&, const EnergyPlan&) = default;
};

[[nodiscard]] nlohmann::ordered_json energy_plan_to_json(const EnergyPlan& plan);
// Throws InputError (with `source`) if the text is no such plan. O(text).
[[nodiscard]] EnergyPlan energy_plan_from_json(const std::string& text, const std::string& source);
// Throws ExternalError or InputError.
[[nodiscard]] EnergyPlan read_energy_plan(const std::filesystem::path& path);

// Throws InputError (with `source`) unless the order names each job of the workload once, and no class has
// more machines for rent than the cluster. A plan that is a policy's schedule fits all. O(jobs + node rows ·
// classes).
void check_energy_plan(const EnergyPlan& plan, const Workload& workload, const Cluster& cluster,
                       const std::string& source);

// Does the file hold such a plan? Anything that is no JSON object with that objective does not, nor
// standard input (`-`). Throws ExternalError.
[[nodiscard]] bool holds_energy_plan(const std::filesystem::path& path);

}  // namespace wavewright
