// The kind `admission`.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "apps/policies.h"
#include "apps/reproduce/online.h"
#include "wavewright/core/error.h"
#include "wavewright/job/generators.h"
#include "wavewright/job/sampled.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/experiment/sweep.h"
#include "wavewright/sim/metrics/promises.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright::app {

namespace {

// The values of one run are listed in this order.
enum AdmissionValue : std::size_t { accept, late, in_time, used, used_by_all, admission_values };

// The lengths of tasks that policies know.
enum class Known { own, profile, longest };

struct AdmissionPolicy {
  std::string name;  // of keys
  std::string policy;
  Known known = Known::own;
  bool padded = true;  // it counts waits for heartbeats, and launches
};

struct AdmissionInputs {
  Cluster cluster;
  std::string generator;
  std::map<std::string, std::string> settings;
  LengthSpread spread;
  std::uint64_t earlier = 0;
  std::vector<AdmissionPolicy> policies;
};

Cluster read_cluster(const Json& json) {
  Cluster cluster;
  const auto in_seconds = [&](const char* key) {
    return ms(std::llround(1000 * json.at(key).get<double>()));
  };
  cluster.mode.heartbeat = in_seconds("heartbeat_s");
  cluster.mode.launch = in_seconds("launch_s");
  cluster.mode.maps_per_heartbeat = json.at("maps_per_heartbeat");
  cluster.mode.reduces_per_heartbeat = json.at("reduces_per_heartbeat");
  for (const Json& each : json.at("nodes")) {
    NodeGroup group;
    group.count = each.at("count");
    group.slots = {each.at("map_slots"), each.at("reduce_slots")};
    group.speed = each.value("speed", 1.0);
    group.node_class = fmt::format("class-{}", cluster.nodes.size());
    if (group.count < 1 || group.count > most_nodes || group.slots.map_slots < 0 ||
        group.slots.reduce_slots < 0 || !(group.speed > 0))
      throw InputError({"reproduce"}, "the cluster's nodes have a number out of range",
                       "correct its numbers");
    cluster.nodes.push_back(std::move(group));
  }
  return cluster;
}

Known read_known(const std::string& text) {
  if (text == "own") return Known::own;
  if (text == "profile") return Known::profile;
  if (text == "longest") return Known::longest;
  throw InputError({"reproduce"}, "unknown lengths '" + text + "'", "give own, profile or longest");
}

AdmissionInputs read_admission_inputs(const Json& json) {
  AdmissionInputs inputs;
  inputs.cluster = read_cluster(json.at("cluster"));
  inputs.generator = json.at("generator");
  inputs.settings = json.value("workload", inputs.settings);
  inputs.spread = {json.at("spread").at("tasks"), json.at("spread").at("jobs")};
  inputs.earlier = json.at("earlier_runs");
  if (inputs.earlier < 1 || inputs.earlier > most_replications)
    throw InputError({"reproduce"}, "no earlier runs, or too many", "correct earlier_runs");
  for (const auto& [name, each] : json.at("policies").items()) {
    inputs.policies.push_back(
        {name, each.at("policy"), read_known(each.value("known", "own")), each.value("padded", true)});
  }
  return inputs;
}

// The lengths of all tasks in the earlier runs of each job.
std::shared_ptr<const Workload> profiles(const SampledBatch& batch, std::uint64_t runs) {
  auto all = std::make_shared<Workload>(batch.draw(1));
  all->expected = nullptr;
  for (std::uint64_t run = 2; run <= runs; ++run) {
    const Workload drawn = batch.draw(run);
    for (std::size_t i = 0; i < drawn.jobs.size(); ++i) {
      Job& job = all->jobs[i];
      job.maps.insert(job.maps.end(), drawn.jobs[i].maps.begin(), drawn.jobs[i].maps.end());
      job.reduces.insert(job.reduces.end(), drawn.jobs[i].reduces.begin(), drawn.jobs[i].reduces.end());
    }
  }
  return all;
}

// UNL's c_max (4.3, 4.4), for maps that read as much as one another, and such reduces: the longest task of
// all jobs.
std::shared_ptr<const Workload> longest_of(const Workload& profile) {
  Duration map{}, reduce{};
  for (const Job& job : profile.jobs) {
    for (const Duration each : job.maps) map = std::max(map, each);
    for (const Duration each : job.reduces) reduce = std::max(reduce, each);
  }
  auto all = std::make_shared<Workload>(profile);
  for (Job& job : all->jobs) {
    job.maps.assign(1, map);
    job.reduces.assign(1, reduce);
  }
  return all;
}

std::vector<double> admission_values_of(const SimulationResult& result, const Workload& workload,
                                        const Cluster& cluster) {
  const SlotPool pool = cluster.total_slots();
  const Count slots = pool.map_slots + pool.reduce_slots;
  const AdmissionTotals totals = admission_of(workload, result, slots);
  const auto percent = [](Count part, Count whole) {
    return whole == 0 ? 0.0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
  };
  std::vector<double> all(admission_values);
  all[accept] = percent(totals.accepted, totals.jobs);
  all[late] = percent(totals.accepted - totals.successful, totals.accepted);
  all[in_time] = percent(totals.successful, totals.jobs);
  all[used] = 100 * totals.utilisation.value_or(0);
  all[used_by_all] = 100 * totals.utilisation_of_all.value_or(0);
  return all;
}

// All policies on the jobs of one seed.
std::vector<double> run_policies(const AdmissionInputs& inputs, std::uint64_t seed,
                                 const PolicyRegistry& registry, const Stop& stop) {
  const auto nominal =
      std::make_shared<const Workload>(generate(generator(inputs.generator), seed, inputs.settings));
  const SampledBatch batch(nominal, inputs.spread.tasks, seed, inputs.spread.jobs);
  Workload workload = batch.draw(0);
  const auto profile = profiles(batch, inputs.earlier);
  const std::map<Known, std::shared_ptr<const Workload>> known = {
      {Known::own, nullptr}, {Known::profile, profile}, {Known::longest, longest_of(*profile)}};
  Cluster without_waits = inputs.cluster;
  without_waits.mode.heartbeat = without_waits.mode.launch = {};
  std::vector<double> row;
  for (const AdmissionPolicy& each : inputs.policies) {
    if (stop.now()) return row;
    workload.expected = known.at(each.known);
    Policy policy = make_policy_on(each.policy, each.padded ? inputs.cluster : without_waits, registry);
    const SimulationResult result =
        simulate_cluster(workload, policy, {.cluster = inputs.cluster, .seed = seed, .trace = true});
    const std::vector<double> own = admission_values_of(result, workload, inputs.cluster);
    row.insert(row.end(), own.begin(), own.end());
  }
  return row;
}

// The mean of shares in percent. Its interval is cut at 0 and at 100.
Measured mean_share(const std::vector<double>& shares) {
  Measured mean = mean_of(shares);
  if (mean.interval)
    mean.interval = Interval{std::max(0.0, mean.interval->low), std::min(100.0, mean.interval->high)};
  return mean;
}

Measurements measure_policies(const Json& json, const ExperimentRun& run) {
  const AdmissionInputs inputs = read_admission_inputs(json);
  const std::uint64_t replications = read_replications(json);
  const PolicyRegistry registry = command_policies();
  const auto rows = replicate(run, replications, "workloads", [&](std::uint64_t seed) {
    return run_policies(inputs, seed, registry, run.stop);
  });
  Measurements measured;
  if (run.stop.now()) return measured;
  const auto values = [&](std::size_t policy, AdmissionValue value) {
    return column(rows, policy * admission_values + value);
  };
  const auto minus = [](double a, double b) { return a - b; };
  for (std::size_t i = 0; i < inputs.policies.size(); ++i) {
    const std::string& name = inputs.policies[i].name;
    measured[name + ".accept"] = mean_share(values(i, accept));
    measured[name + ".late"] = mean_share(values(i, late));
    measured[name + ".success"] =
        mean_share(joined(values(i, late), values(i, late), [](double a, double) { return 100 - a; }));
    measured[name + ".in-time"] = mean_share(values(i, in_time));
    measured[name + ".use"] = mean_share(values(i, used));
    measured[name + ".all-use"] = mean_share(values(i, used_by_all));
    for (std::size_t other = 0; other < inputs.policies.size(); ++other) {
      if (other == i) continue;
      const std::string& its = inputs.policies[other].name;
      measured[name + ".accept-above." + its] =
          mean_of(joined(values(i, accept), values(other, accept), minus));
      measured[name + ".accept-above-twice." + its] = mean_of(
          joined(values(i, accept), values(other, accept), [](double a, double b) { return a - 2 * b; }));
      measured[name + ".in-time-above." + its] =
          mean_of(joined(values(i, in_time), values(other, in_time), minus));
      measured[name + ".use-above." + its] = mean_of(joined(values(i, used), values(other, used), minus));
    }
  }
  return measured;
}

}  // namespace

Measurements measure_admission(const Json& inputs, const ExperimentRun& run) {
  return measured_once(inputs, run, measure_policies);
}

}  // namespace wavewright::app
