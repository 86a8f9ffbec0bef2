#include "wavewright/energy/plan/evaluate_energy.h"

#include <algorithm>
#include <tuple>

#include "wavewright/core/error.h"
#include "wavewright/core/money.h"
#include "wavewright/sim/metrics/usage.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {

namespace {

std::optional<SimulationResult> simulated(const Workload& batch, Policy& policy, const ClusterOptions& how) {
  try {
    SimulationResult result = simulate_on(batch, policy, how);
    if (result.stuck || result.stopped) return std::nullopt;
    return result;
  } catch (const Infeasible&) {
    return std::nullopt;
  }
}

}  // namespace

bool EnergyValue::better_than(const EnergyValue& other) const {
  const auto key = [](const EnergyValue& value) {
    return std::tuple(value.tardiness, value.energy.total(), value.makespan, from_usd(value.cost_usd),
                      value.total_completion);
  };
  return key(*this) < key(other);
}

std::optional<EnergyValue> evaluate_energy(const Workload& batch, const Cluster& cluster, Policy& policy,
                                           std::uint64_t seed) {
  NodeUsageSums sums(cluster, &batch);
  ClusterOptions how{.cluster = cluster, .seed = seed, .sink = &sums};
  how.keep_stuck = true;
  const std::optional<SimulationResult> result = simulated(batch, policy, how);
  if (!result) return std::nullopt;
  EnergyValue value;
  for (std::size_t i = 0; i < batch.jobs.size(); ++i) {
    const JobOutcome& outcome = result->jobs[i];
    if (!outcome.has_finished() || outcome.failed) return std::nullopt;
    const std::optional<Time>& deadline = batch.jobs[i].deadline;
    if (!deadline || outcome.finish <= *deadline) continue;
    value.tardiness += outcome.finish - *deadline;
    ++value.tardy;
  }
  value.makespan = result->makespan;
  value.total_completion = result->total_completion;
  value.cost_usd = totals_of(sums.finish(*result)).cost_usd;
  if (sums.energy()) value.energy = sums.energy()->all;
  return value;
}

Cluster all_machines_on(Cluster cluster) {
  for (NodeGroup& group : cluster.nodes) group.rent = false;
  return cluster;
}

}  // namespace wavewright
