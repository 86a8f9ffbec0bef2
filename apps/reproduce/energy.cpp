// The kinds `energy-profile`, `energy-worlds` and `paired-runs`.
#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "apps/policies.h"
#include "apps/reproduce/energy_world.h"
#include "apps/reproduce/online.h"
#include "wavewright/core/error.h"
#include "wavewright/job/generators.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/experiment/paired_test.h"
#include "wavewright/sim/experiment/sweep.h"
#include "wavewright/sim/metrics/map_locality.h"
#include "wavewright/sim/metrics/usage.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright::app {

namespace {

constexpr double joules_per_kwh = 3.6e6, seconds_per_h = 3600;

}  // namespace

// [UNL tables 6.5 to 6.9, and what 6.11 and 6.12 say of them]
Measurements measure_energy_profile(const Json& inputs, std::uint64_t /*seed*/) {
  Measurements measured;
  const double hours = inputs.at("interval_s").get<double>() / seconds_per_h;
  const double idle_kwh = inputs.at("cpu_idle_w").get<double>() * hours / 1000;
  const double work_kwh = inputs.at("cpu_total_kwh").get<double>() - idle_kwh;
  const double printed_work = inputs.at("printed_work_kwh");
  measured["cpu.idle"] = {idle_kwh};
  measured["cpu.work"] = {work_kwh};
  double best = 1, servers_w = inputs.at("cpu_idle_w").get<double>() * inputs.at("cpu_servers").get<double>();
  for (const auto& [name, of] : inputs.at("gpu_servers").items()) {
    double sum = 0;
    for (const auto& [mode, total] : of.at("total_kwh").items()) {
      const double factor = of.at("factor").at(mode);
      const double watts = (total.get<double>() - printed_work / factor) / hours * 1000;
      measured[name + "." + mode + ".idle"] = {watts};
      measured[name + "." + mode + ".work"] = {printed_work / factor};
      // A server has one idle power, which the other mode tells, too.
      for (const auto& [other, of_other] : of.at("total_kwh").items()) {
        if (other == mode) continue;
        const double idle = of_other.get<double>() - printed_work / of.at("factor").at(other).get<double>();
        measured[name + "." + mode + ".factor"] = {printed_work / (total.get<double>() - idle)};
      }
      best = std::max(best, factor);
      sum += watts;
    }
    servers_w += sum / static_cast<double>(of.at("total_kwh").size());
  }
  Count jobs = 0, maps = 0;
  for (const Json& bin : inputs.at("bins")) {
    jobs += bin.at(1).get<Count>();
    maps += bin.at(0).get<Count>() * bin.at(1).get<Count>();
  }
  measured["jobs"] = {jobs};
  measured["maps"] = {maps};
  measured["md.least"] = {static_cast<double>(maps) / 2 * printed_work / best};
  measured["saving.most"] = {per_cent * (1 - 1 / best)};
  const Json& printed = inputs.at("printed");
  const auto work = [&](const char* policy) { return printed.at(policy).at("work_kwh").get<double>(); };
  for (const char* const policy : {"efh-noae", "efh", "ideal"})
    measured[std::string(policy) + ".saving"] = {per_cent * (1 - work(policy) / work("fifo"))};
  const auto always_on = [&](const char* policy, double over) {
    return (printed.at(policy).at("kwh").get<double>() - work(policy)) / over * 1000;
  };
  measured["idle.w"] = {always_on("fifo", inputs.at("experiment_h"))};
  measured["idle.servers"] = {servers_w};
  measured["idle.other"] = {always_on("fifo", inputs.at("experiment_h")) - servers_w};
  measured["ideal.idle.w"] = {always_on("ideal", printed.at("ideal").at("turnaround_h"))};
  // Durations that follow from printed turnarounds: without adaptive execution both GPUs do all MD maps, in
  // IDEAL the better one does.
  const double md = static_cast<double>(maps) / 2;
  const double both = printed.at("efh-noae").at("turnaround_h").get<double>() * seconds_per_h / md;
  const double slow = printed.at("ideal").at("turnaround_h").get<double>() * seconds_per_h / md;
  measured["md.II-gpu.s"] = {slow};
  measured["md.I-gpu.s"] = {1 / (1 / both - 1 / slow)};
  measured["md.II-gpu.w"] = {printed_work / best * joules_per_kwh / slow};
  return measured;
}

namespace {

constexpr std::size_t energy_values = 4, locality_value = 1;
constexpr const char* energy_names[energy_values] = {"turnaround", "locality", "work", "energy"};

// As energy_names.
std::vector<double> energy_values_of(const EnergyWorld& world, const Workload& workload,
                                     const std::string& spec, std::uint64_t seed,
                                     const PolicyRegistry& registry) {
  Policy policy = make_policy_on(spec, world.cluster, registry);
  const SimulationResult result =
      simulate_cluster(workload, policy, {.cluster = world.cluster, .seed = seed, .trace = true});
  const RunEnergy used = energy_of_run(result, world.cluster, &workload).value();
  Time first = Time::max();
  for (const Job& job : workload.jobs) first = std::min(first, job.submit);
  const double hours = static_cast<double>(to_ms(Time{} + result.makespan - first)) / ms_per_h;
  double idle_w = world.other_w;
  for (const NodeGroup& group : world.cluster.nodes)
    idle_w += static_cast<double>(group.count) * group.power_idle_w;
  const double work_kwh = to_joules(used.all.work) / joules_per_kwh;
  return {hours, per_cent * map_locality(result, workload).rate().value_or(0), work_kwh,
          work_kwh + idle_w / 1000 * std::max(world.experiment_h, hours)};
}

// The energy of one map of the job without idle, alone on machines of one class, in joules: as the paper
// profiles [UNL §6.3.2].
double work_of_a_map(const EnergyWorld& world, const Job& like, const std::string& node_class) {
  Cluster cluster = world.cluster;
  for (NodeGroup& group : cluster.nodes) {
    if (group.node_class != node_class) group.slots.map_slots = 0;
  }
  cluster.reads = {};
  cluster.mode.launch = {};  // which takes power, too
  Workload alone;
  alone.jobs.push_back(like);
  alone.jobs[0].maps.resize(1);
  alone.jobs[0].reduces.clear();
  alone.jobs[0].splits.clear();
  Policy policy = make_policy_on("fifo", cluster, command_policies());
  const SimulationResult result = simulate_cluster(alone, policy, {.cluster = cluster, .trace = true});
  return to_joules(energy_of_run(result, cluster, &alone).value().all.work);
}

// `md.I-gpu.factor` and the like: by how much less work a map takes there than on a CPU server [UNL tables
// 6.9, 6.10].
void profile_factors(const EnergyWorld& world, Measurements& measured) {
  const Workload workload = generate(generator("unl-energy"), 1, world.settings);
  for (const std::string application : {"md", "loadgen"}) {
    const auto like = std::find_if(workload.jobs.begin(), workload.jobs.end(),
                                   [&](const Job& job) { return job.name == application; });
    if (like == workload.jobs.end()) continue;
    const double on_cpu = work_of_a_map(world, *like, "cpu");
    for (const NodeGroup& group : world.cluster.nodes) {
      const bool device = world.cluster.classes.at(group.node_class).label == "gpu";
      if (group.node_class == "cpu" || (device && application != "md")) continue;
      measured[application + "." + group.node_class + ".factor"] = {
          on_cpu / work_of_a_map(world, *like, group.node_class)};
    }
  }
}

Measurements measure_worlds(const Json& json, const ExperimentRun& run) {
  EnergyWorld world = read_energy_world(json);
  world.experiment_h = json.at("experiment_h");
  world.other_w = json.at("cluster").at("other_w");
  const std::uint64_t replications = read_replications(json);
  const PolicyRegistry registry = command_policies();
  const auto rows = replicate(run, replications, "workloads", [&](std::uint64_t seed) {
    const Workload workload = generate(generator("unl-energy"), seed, world.settings);
    std::vector<double> row;
    for (const auto& [name, policy] : world.policies) {
      if (run.stop.now()) return row;
      const std::vector<double> own = energy_values_of(world, workload, policy, seed, registry);
      row.insert(row.end(), own.begin(), own.end());
    }
    return row;
  });
  Measurements measured;
  if (run.stop.now()) return measured;
  profile_factors(world, measured);
  for (std::size_t one = 0; one < world.policies.size(); ++one) {
    for (std::size_t value = 0; value < energy_values; ++value) {
      const std::string key = world.policies[one].first + "." + energy_names[value];
      const std::vector<double> own = column(rows, one * energy_values + value);
      measured[key] = mean_of(own);
      for (std::size_t other = 0; other < world.policies.size(); ++other) {
        if (other == one) continue;
        const std::vector<double> of_other = column(rows, other * energy_values + value);
        const std::vector<double> above = joined(own, of_other, [&](double a, double b) {
          return value == locality_value ? a - b : per_cent * (a / b - 1);
        });
        measured[key + "-above." + world.policies[other].first] = mean_of(above);
        if (own.size() < 2) continue;
        const std::optional<double> p = paired_t_test(own, of_other).p;
        measured[key + "-p." + world.policies[other].first] = {p ? Json(*p) : Json(nullptr)};
      }
    }
  }
  return measured;
}

}  // namespace

// Several tables and figures are of the same runs.
Measurements measure_energy_worlds(const Json& inputs, const ExperimentRun& run) {
  return measured_once(inputs, run, measure_worlds);
}

namespace {

// The least and the most of `of` where each value may lie up to `rounding` beside the given one. Searched on
// a grid: 11 places for each value.
template <class Of>
std::pair<double, double> over_rounding(std::vector<double> values, double rounding, const Of& of,
                                        std::size_t at = 0) {
  if (at == values.size()) return {of(values), of(values)};
  constexpr int steps = 5;
  std::pair<double, double> range{INFINITY, -INFINITY};
  const double middle = values[at];
  for (int step = -steps; step <= steps; ++step) {
    values[at] = middle + rounding * step / steps;
    const auto [least, most] = over_rounding(values, rounding, of, at + 1);
    range = {std::min(range.first, least), std::max(range.second, most)};
  }
  return range;
}

}  // namespace

// [UNL tables 6.13 to 6.15, from the runs in 6.11 and 6.12]
Measurements measure_paired_runs(const Json& inputs, std::uint64_t /*seed*/) {
  Measurements measured;
  for (const auto& [metric, of] : inputs.at("metrics").items()) {
    const double rounding = of.at("rounding");
    const auto runs = of.at("runs").get<std::map<std::string, std::vector<double>>>();
    for (const auto& [policy, values] : runs) {
      const SampleStatistics own = statistics_of(values);
      const auto half = [](const std::vector<double>& v) { return *statistics_of(v).half; };
      const auto [least, most] = over_rounding(values, rounding, half);
      measured[metric + "." + policy + ".mean"] = {own.mean};
      measured[metric + "." + policy + ".half"] = {*own.half};
      measured[metric + "." + policy + ".half.range"] = {fmt::format("{:.3g} to {:.3g}", least, most)};
      measured[metric + "." + policy + ".error"] = {own.population_error};
      measured[metric + "." + policy + ".error.sample"] = {*own.error};
      for (const auto& [other, theirs] : runs) {
        if (other == policy || theirs.size() != values.size()) continue;
        const std::vector<double> differences = joined(values, theirs, std::minus<>());
        const std::vector<double> none(values.size(), 0);
        const auto p = [&](const std::vector<double>& d) { return paired_t_test(d, none).p.value_or(1); };
        const auto [lowest, highest] = over_rounding(differences, 2 * rounding, p);
        const std::string key = metric + "." + policy + "." + other;
        measured[key + ".p"] = {p(differences)};
        measured[key + ".p.least"] = {lowest};
        measured[key + ".p.most"] = {highest};
      }
    }
  }
  return measured;
}

}  // namespace wavewright::app
