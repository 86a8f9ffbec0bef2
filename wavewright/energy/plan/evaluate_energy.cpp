#include "wavewright/energy/plan/evaluate_energy.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/money.h"
#include "wavewright/sim/metrics/usage.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {

namespace {

void tell(std::string* why_not, const std::string& reason) {
  if (why_not != nullptr) *why_not = reason;
}

std::optional<SimulationResult> simulated(const Workload& batch, Policy& policy, const ClusterOptions& how,
                                          std::string* why_not) {
  try {
    SimulationResult result = simulate_on(batch, policy, how);
    if (!result.stuck && !result.stopped) return result;
    tell(why_not, result.stuck ? result.stuck->what : "the run was stopped");
  } catch (const Infeasible& error) {
    tell(why_not, error.what());
  }
  return std::nullopt;
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
                                           std::uint64_t seed, std::string* why_not) {
  NodeUsageSums sums(cluster, &batch);
  ClusterOptions how{.cluster = cluster, .seed = seed, .sink = &sums};
  how.keep_stuck = true;
  const std::optional<SimulationResult> result = simulated(batch, policy, how, why_not);
  if (!result) return std::nullopt;
  EnergyValue value;
  for (std::size_t i = 0; i < batch.jobs.size(); ++i) {
    const JobOutcome& outcome = result->jobs[i];
    if (!outcome.has_finished() || outcome.failed) {
      tell(why_not, fmt::format("job '{}' {}", batch.jobs[i].id, outcome.failed ? "failed" : "did not run"));
      return std::nullopt;
    }
    const std::optional<Time>& deadline = batch.jobs[i].deadline;
    if (!deadline || outcome.finish <= *deadline) continue;
    value.tardiness += outcome.finish - *deadline;
    ++value.tardy;
  }
  value.makespan = result->makespan;
  value.total_completion = result->total_completion;
  value.cost_usd = totals_of(sums.finish(*result)).cost_usd;
  if (const std::optional<RunEnergy>& energy = sums.energy()) {
    value.energy = energy->all;
    value.carbon_g = energy->carbon_g;
  }
  return value;
}

Cluster all_machines_on(Cluster cluster) {
  for (NodeGroup& group : cluster.nodes) group.rent = false;
  return cluster;
}

}  // namespace wavewright
