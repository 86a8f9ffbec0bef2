// The kind `energy-plans`.
#include <algorithm>
#include <array>

#include "apps/policies.h"
#include "apps/reproduce/energy_world.h"
#include "apps/reproduce/online.h"
#include "wavewright/core/error.h"
#include "wavewright/energy/plan/plan_energy.h"
#include "wavewright/job/generators.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright::app {

namespace {

double in_kwh(MicroJoules energy) {
  constexpr double joules = 3.6e6;
  return to_joules(energy) / joules;
}

// The CPU servers may be switched off. The GPU servers stay on: they have work until the end.
Cluster servers_for_rent(Cluster cluster, Duration boot) {
  NodeGroup& servers = cluster.nodes.front();
  servers.rent = true;
  servers.boot = boot;
  cluster.classes[servers.node_class].wake_j = servers.power_idle_w * static_cast<double>(to_ms(boot)) / 1000;
  return cluster;
}

struct PlanSettings {
  EnergyWorld world;
  Duration boot{};
  std::uint64_t evaluations = 0;
  std::string rival;
};

constexpr std::array plan_values{"plan", "above-bound", "below-efh", "most-below-efh", "turnaround"};

void add_plan(const PlanSettings& settings, const Workload& workload, const Cluster& cluster,
              const EnergyValue& efh, std::uint64_t seed, const PolicyRegistry& registry,
              std::vector<double>& row) {
  const PlannedEnergy planned = plan_energy(
      {&workload, cluster, seed, settings.evaluations, TaskOrder::longest_first, &registry}, Stop());
  const double all = in_kwh(efh.energy.total()), own = in_kwh(planned.value.energy.total()),
               bound = in_kwh(planned.bound.value().energy);
  row.insert(row.end(),
             {own, per_cent * (own / bound - 1), per_cent * (1 - own / all), per_cent * (1 - bound / all),
              static_cast<double>(to_ms(planned.value.makespan)) / ms_per_h});
}

std::vector<double> plan_values_of(const PlanSettings& settings, const Json& reading, std::uint64_t seed,
                                   const PolicyRegistry& registry) {
  std::map<std::string, std::string> own = settings.world.settings;
  for (const auto& [name, value] : reading.items()) own[name] = value.get<std::string>();
  const Workload workload = generate(generator("unl-energy"), seed, own);
  const Cluster& on = settings.world.cluster;
  Policy policy = make_policy_on(settings.rival, on, registry);
  const EnergyValue efh = evaluate_energy(workload, on, policy, seed).value();
  std::vector<double> row{in_kwh(efh.energy.total()), in_kwh(efh.energy.work)};
  add_plan(settings, workload, on, efh, seed, registry, row);
  add_plan(settings, workload, servers_for_rent(on, settings.boot), efh, seed, registry, row);
  return row;
}

Measurements measure_plans(const Json& json, const ExperimentRun& run) {
  const PlanSettings settings{read_energy_world(json), seconds_of(json.at("boot_s")), json.at("evaluations"),
                              json.at("policies").at("efh")};
  const PolicyRegistry registry = command_policies();
  const Json& readings = json.at("readings");
  const auto rows = replicate(run, read_replications(json), "workloads", [&](std::uint64_t seed) {
    std::vector<double> row;
    for (const auto& [name, reading] : readings.items()) {
      if (run.stop.now()) return row;
      const std::vector<double> own = plan_values_of(settings, reading, seed, registry);
      row.insert(row.end(), own.begin(), own.end());
    }
    return row;
  });
  Measurements measured;
  if (run.stop.now()) return measured;
  std::size_t at = 0;
  for (const auto& [name, reading] : readings.items()) {
    measured[name + ".efh"] = mean_of(column(rows, at++));
    measured[name + ".efh.work"] = mean_of(column(rows, at++));
    for (const char* const machines : {".on.", ".off."}) {
      for (const char* const value : plan_values)
        measured[name + machines + value] = mean_of(column(rows, at++));
    }
  }
  return measured;
}

}  // namespace

Measurements measure_energy_plans(const Json& inputs, const ExperimentRun& run) {
  return measured_once(inputs, run, measure_plans);
}

}  // namespace wavewright::app
