// Simulated runs to draw: a small cluster on which much goes wrong, and larger ones.
#pragma once

#include <string>

#include "wavewright/report/simulation_report.h"

namespace wavewright::sample {

struct Run {
  Workload workload;
  Cluster cluster;
  SimulationResult result;
  std::string policy;

  // Of this run; it must stay where it is meanwhile.
  [[nodiscard]] SimulationReport report() const;
};

// Simulates under the policy, with trace.
[[nodiscard]] Run run(Workload workload, Cluster cluster, const std::string& policy = "fifo");

// Six nodes in two racks with two map slots and one reduce slot each, blocks, power and prices; node2 is away
// from 20 to 60 s, and attempts fail.
[[nodiscard]] Cluster troubled_cluster();

// Eight nodes for four containers each, and masters.
[[nodiscard]] Cluster container_cluster();

[[nodiscard]] std::string html(const SimulationReport& report);

}  // namespace wavewright::sample
