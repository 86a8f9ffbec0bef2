// The inputs of the kind `cloud-worlds`: a trace, machines, prices, workloads and policies.
//
//     "trace": null,   filled in by --trace
//     "swim": {"block": "64MiB", "map_rate": "10MB", …},   as the options of `workload convert`
//     "machine": {"map_slots": 2, "reduce_slots": 2, "usd_per_hour": 0.07, "boot_s": 60, "billing": "hour",
//                 "most": 1000, "interrupted_hour": "free" or "charged", "lost_map_output": "rerun" or
//                 "kept"},
//     "deadline": {"least": 1, "most": 3, "boot_in_shortest": true},
//     "prices": {"least_usd": 0.008, "most_usd": 1, "correlation": 0,
//                "usd": [{"weight": 0.7, "median": 0.012, "factor": 1.3}], "seconds": [{…}]},
//     "workloads": {"W1": {"jobs": 1000}, "W2": {}},   also `within_s`
//     "without": ["job969"],
//     "policies": {"Hybrid": "mdasa(machines=hybrid)", …}, "with": {"slots": "average"}
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "apps/context.h"
#include "wavewright/cloud/worlds/world.h"

namespace wavewright::app {

struct CloudInputs {
  Workload trace;
  std::vector<std::pair<std::string, WorldOptions>> workloads;
  std::vector<std::pair<std::string, std::string>> policies;  // name, policy string
};

// Reads the trace, too. Throws InputError or UsageError for what cannot be used.
[[nodiscard]] CloudInputs read_cloud_inputs(const Json& inputs);

// `policy` with each of `more` (parameter, value) that it does not give itself.
[[nodiscard]] std::string with_parameters(const std::string& policy,
                                          const std::map<std::string, std::string>& more);

}  // namespace wavewright::app
