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

// On which terms a plan is compared with EFH, whose machines are always on.
struct PlanTerms {
  const char* name;  // of keys
  bool off;          // the plan may switch the CPU servers off
  bool due;          // the plan must end by EFH's end
  bool at_once;      // all jobs are there at the start, so that EFH knows of them as the plan does
};

constexpr std::array plan_terms{PlanTerms{"on", false, false, false}, PlanTerms{"off", true, false, false},
                                PlanTerms{"due", false, true, false}, PlanTerms{"off-due", true, true, false},
                                PlanTerms{"at-once", false, true, true}};

PlanTerms read_plan_terms(const std::string& name) {
  for (const PlanTerms& terms : plan_terms) {
    if (name == terms.name) return terms;
  }
  throw InputError({"reproduce"}, "unknown plan '" + name + "'", "give on, off, due, off-due or at-once");
}

struct PlanSettings {
  EnergyWorld world;
  Duration boot{};
  std::uint64_t evaluations = 0;
  std::string rival;
  std::vector<PlanTerms> plans;
};

constexpr std::array plan_values{"efh",        "plan",           "above-bound", "below-efh", "most-below-efh",
                                 "turnaround", "later-than-efh", "wakes"};

EnergyValue value_of_efh(const PlanSettings& settings, const Workload& workload, std::uint64_t seed,
                         const PolicyRegistry& registry) {
  const Cluster& on = settings.world.cluster;
  Policy policy = make_policy_on(settings.rival, on, registry);
  return evaluate_energy(workload, on, policy, seed).value();
}

// Appends plan_values. `submitted`: the value of EFH for the workload.
void add_plan(const PlanSettings& settings, const PlanTerms& terms, Workload workload,
              const EnergyValue& submitted, std::uint64_t seed, const PolicyRegistry& registry,
              std::vector<double>& row) {
  EnergyValue efh = submitted;
  if (terms.at_once) {
    for (Job& job : workload.jobs) job.submit = Time{};
    efh = value_of_efh(settings, workload, seed, registry);
  }
  if (terms.due) {
    for (Job& job : workload.jobs) job.deadline = Time{} + efh.makespan;
  }
  const Cluster& on = settings.world.cluster;
  EnergyProblem problem{&workload,
                        terms.off ? servers_for_rent(on, settings.boot) : on,
                        seed,
                        settings.evaluations,
                        TaskOrder::longest_first,
                        &registry};
  problem.candidates = {settings.rival};
  const PlannedEnergy planned = plan_energy(problem, Stop());
  const double all = in_kwh(efh.energy.total()), own = in_kwh(planned.value.energy.total()),
               bound = in_kwh(planned.bound.value().energy);
  const auto end = static_cast<double>(to_ms(planned.value.makespan));
  row.insert(row.end(), {all, own, per_cent * (own / bound - 1), per_cent * (1 - own / all),
                         per_cent * (1 - bound / all), end / ms_per_h,
                         per_cent * (end / static_cast<double>(to_ms(efh.makespan)) - 1),
                         in_kwh(planned.value.energy.wake)});
}

std::vector<double> plan_values_of(const PlanSettings& settings, const Json& reading, std::uint64_t seed,
                                   const PolicyRegistry& registry) {
  std::map<std::string, std::string> own = settings.world.settings;
  for (const auto& [name, value] : reading.items()) own[name] = value.get<std::string>();
  const Workload workload = generate(generator("unl-energy"), seed, own);
  const EnergyValue efh = value_of_efh(settings, workload, seed, registry);
  std::vector<double> row{in_kwh(efh.energy.total()), in_kwh(efh.energy.work)};
  for (const PlanTerms& terms : settings.plans) add_plan(settings, terms, workload, efh, seed, registry, row);
  return row;
}

Measurements measure_plans(const Json& json, const ExperimentRun& run) {
  PlanSettings settings{read_energy_world(json),
                        seconds_of(json.at("boot_s")),
                        json.at("evaluations"),
                        json.at("policies").at("efh"),
                        {}};
  for (const Json& name : json.at("plans"))
    settings.plans.push_back(read_plan_terms(name.get<std::string>()));
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
    for (const PlanTerms& terms : settings.plans) {
      for (const char* const value : plan_values) {
        const std::vector<double> own = column(rows, at++);
        const std::string key = name + "." + terms.name + "." + value;
        measured[key] = mean_of(own);
        measured[key + ".least"] = {*std::min_element(own.begin(), own.end())};
        measured[key + ".most"] = {*std::max_element(own.begin(), own.end())};
      }
    }
  }
  return measured;
}

}  // namespace

Measurements measure_energy_plans(const Json& inputs, const ExperimentRun& run) {
  return measured_once(inputs, run, measure_plans);
}

}  // namespace wavewright::app
