// Simulates a batch under a policy on a cluster: makespan, tardiness, and energy to the microjoule.
#pragma once

#include <optional>
#include <string>

#include "wavewright/job/job.h"
#include "wavewright/sched/policy.h"
#include "wavewright/sim/metrics/energy.h"

namespace wavewright {

struct EnergyValue {
  EnergyParts energy;
  Duration makespan{}, total_completion{};
  Duration tardiness{};  // Σ max(0, finish − deadline)
  std::size_t tardy = 0;
  double cost_usd = 0;
  std::optional<double> carbon_g;  // if the cluster file tells the grid's intensity

  // Less tardiness comes first, then less energy, then the earlier end, then the
  // lower cost.
  [[nodiscard]] bool better_than(const EnergyValue& other) const;
};

// None if a job was rejected, failed or could not run; `why_not`, if it is not null, then tells the reason.
// The energy is 0 where the cluster file tells no power. Throws what the simulator throws, but not
// Infeasible.
[[nodiscard]] std::optional<EnergyValue> evaluate_energy(const Workload& batch, const Cluster& cluster,
                                                         Policy& policy, std::uint64_t seed,
                                                         std::string* why_not = nullptr);

// The cluster with its machines for rent there all the time.
[[nodiscard]] Cluster all_machines_on(Cluster cluster);

}  // namespace wavewright
