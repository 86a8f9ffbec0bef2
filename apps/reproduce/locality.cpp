// The kind `locality`.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "apps/policies.h"
#include "apps/reproduce/online.h"
#include "wavewright/core/error.h"
#include "wavewright/job/generators.h"
#include "wavewright/sched/placers/locality_delay.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/experiment/sweep.h"
#include "wavewright/sim/metrics/map_locality.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright::app {

namespace {

constexpr double ms_per_s = 1000;

// The values of one run are listed in this order.
enum MapValue : std::size_t { rate, response, local, elsewhere, use, map_values };

struct Placing {
  std::string name;    // of keys
  std::string placer;  // empty with `offers`
  bool delay = false;
  std::optional<LocalityDelay> offers = {};  // Capacity's rule
};

struct LocalityInputs {
  Cluster cluster;
  std::map<std::string, std::string> settings;      // of the generator, without `map`
  std::map<std::string, std::string> applications;  // name, map durations
  std::vector<std::string> orders;                  // allocators
  std::vector<Placing> placings;
};

Duration in_seconds(const Json& json) {
  return ms(std::llround(ms_per_s * json.get<double>()));
}

// On slots as on containers: an offer is one of a node to a job.
LocalityDelay read_locality_delay(const Json& json) {
  LocalityDelay delay{.node = json.at("node").get<Count>()};
  if (json.contains("rack_additional")) delay.rack_additional = json.at("rack_additional").get<Count>();
  if (delay.node < 0 || delay.rack_additional.value_or(0) < 0)
    throw InputError({"reproduce"}, "a node_locality_delay below 0", "give numbers from 0");
  return delay;
}

LocalityInputs read_locality_inputs(const Json& json) {
  LocalityInputs inputs;
  const Json& cluster = json.at("cluster");
  NodeGroup group;
  group.count = cluster.at("nodes");
  group.slots = {cluster.at("map_slots"), cluster.at("reduce_slots")};
  if (group.count < 1 || group.count > most_nodes || group.slots.map_slots < 1)
    throw InputError({"reproduce"}, "the cluster has no map slot, or too many nodes", "correct its numbers");
  inputs.cluster.nodes.push_back(group);
  inputs.cluster.mode.heartbeat = in_seconds(cluster.at("heartbeat_s"));
  inputs.cluster.mode.launch = in_seconds(cluster.at("launch_s"));
  inputs.cluster.mode.out_of_band = cluster.value("out_of_band", false);
  const double slower = json.at("non_local");
  inputs.cluster.reads = {Reads::Kind::slowdown, slower, slower};
  inputs.settings = json.value("workload", inputs.settings);
  inputs.settings["nodes"] = std::to_string(group.count);
  inputs.applications = json.at("applications").get<std::map<std::string, std::string>>();
  inputs.orders = json.at("orders").get<std::vector<std::string>>();
  for (const auto& [name, placer] : json.at("placers").items())
    inputs.placings.push_back({name, placer.get<std::string>()});
  const Json offers = json.value("node_locality_delays", Json::object());
  for (const auto& [name, of] : offers.items())
    inputs.placings.push_back({name, "", false, read_locality_delay(of)});
  const std::string more = json.value("delay_more", "");
  for (const Json& each : json.at("delays_s")) {
    inputs.placings.push_back({fmt::format("delay-{}", each.get<double>()),
                               fmt::format("delay({}ms{})", to_ms(in_seconds(each)), more), true});
  }
  return inputs;
}

std::vector<double> map_values_of(const SimulationResult& result, const Workload& workload,
                                  const Cluster& cluster) {
  const MapLocality maps = map_locality(result, workload);
  std::vector<double> all(map_values);
  all[rate] = 100 * maps.rate().value_or(0);
  all[response] = maps.response_ms().value_or(0) / ms_per_s;
  all[local] = maps.local_response_ms().value_or(0) / ms_per_s;
  all[elsewhere] = maps.elsewhere_response_ms().value_or(0) / ms_per_s;
  all[use] = 100 * result.map_utilisation(cluster.total_slots());
  return all;
}

// By value, by replication.
using PlacingSamples = std::vector<std::vector<double>>;

// The runs of one application under one allocator: samples by placing, as in LocalityInputs::placings.
class Comparison {
 public:
  Comparison(std::string key, const std::vector<Placing>& placings, std::vector<PlacingSamples> samples,
             Measurements& measured)
      : key_(std::move(key)), placings_(placings), samples_(std::move(samples)), measured_(measured) {}

  void record() {
    const std::string names[map_values] = {"rate", "response", "local", "elsewhere", "use"};
    for (std::size_t i = 0; i < placings_.size(); ++i) {
      for (std::size_t value = 0; value < map_values; ++value)
        measured_[key_ + placings_[i].name + "." + names[value]] = mean_of(samples_[i][value]);
      for (std::size_t other = 0; other < placings_.size(); ++other) {
        if (other != i) compare(i, other, placings_[other].name);
      }
    }
    record_delays();
  }

 private:
  [[nodiscard]] double mean(std::size_t placing, MapValue value) const {
    return mean_interval(samples_[placing][value]).mean;
  }
  // The delay with the highest mean (sign 1) or the lowest (sign −1); `without` does not count.
  [[nodiscard]] std::optional<std::size_t> highest(MapValue value, double sign, std::size_t without) const {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < placings_.size(); ++i) {
      if (!placings_[i].delay || i == without) continue;
      if (!found || sign * mean(i, value) > sign * mean(*found, value)) found = i;
    }
    return found;
  }

  // Paired by seed. `suffix`: of the keys.
  void compare(std::size_t one, std::size_t other, const std::string& suffix) {
    compare(one, other, suffix, rate);
    compare(one, other, suffix, response);
  }
  void compare(std::size_t one, std::size_t other, const std::string& suffix, MapValue value) {
    const std::vector<double> differences =
        joined(samples_[one][value], samples_[other][value],
               [&](double a, double b) { return value == rate ? a - b : 100 * (a / b - 1); });
    const char* const name = value == rate ? ".rate-above." : ".response-above.";
    measured_[key_ + placings_[one].name + name + suffix] = mean_of(differences);
  }

  void record_delays() {
    const std::size_t none = placings_.size();
    if (!highest(rate, 1, none)) return;
    for (std::size_t i = 0; i < placings_.size(); ++i) {
      // A delay is compared with the other delays only.
      const std::size_t without = placings_[i].delay ? i : none;
      if (!highest(rate, 1, without)) continue;
      compare(i, *highest(rate, 1, without), "best-delay", rate);
      compare(i, *highest(response, -1, without), "best-delay", response);
      compare(i, *highest(rate, -1, without), "worst-delay", rate);
      compare(i, *highest(response, 1, without), "worst-delay", response);
    }
    measured_[key_ + "best-delay.rate"] = {placings_[*highest(rate, 1, none)].name};
    measured_[key_ + "best-delay.response"] = {placings_[*highest(response, -1, none)].name};
    std::optional<std::size_t> before, least;
    for (std::size_t i = 0; i < placings_.size(); ++i) {
      if (!placings_[i].delay) continue;
      const auto step = [&](std::size_t later) { return mean(later, rate) - mean(later - 1, rate); };
      if (before && (!least || step(i) < step(*least))) least = i;
      before = i;
    }
    if (!least) return;
    const std::string from = placings_[*least - 1].name, to = placings_[*least].name;
    measured_[key_ + "delay.rate.least-step"] = measured_.at(key_ + to + ".rate-above." + from);
    measured_[key_ + "delay.rate.least-step"].note = fmt::format("from {} to {}", from, to);
  }

  std::string key_;
  const std::vector<Placing>& placings_;
  std::vector<PlacingSamples> samples_;
  Measurements& measured_;
};

Measurements measure_placers(const Json& json, const ExperimentRun& run) {
  const LocalityInputs inputs = read_locality_inputs(json);
  const std::uint64_t replications = read_replications(json);
  const PolicyRegistry registry = command_policies();
  const auto rows = replicate(run, replications, "workloads", [&](std::uint64_t seed) {
    std::vector<double> row;
    for (const auto& [application, maps] : inputs.applications) {
      auto settings = inputs.settings;
      settings["map"] = maps;
      const Workload workload = generate(generator("unl-locality"), seed, settings);
      for (const std::string& order : inputs.orders) {
        for (const Placing& placing : inputs.placings) {
          if (run.stop.now()) return row;
          Policy policy =
              make_policy_on(placing.offers ? order : order + "+" + placing.placer, inputs.cluster, registry);
          if (placing.offers) policy.placer = make_locality_delay(*placing.offers);
          const SimulationResult result =
              simulate_cluster(workload, policy, {.cluster = inputs.cluster, .seed = seed, .trace = true});
          const std::vector<double> own = map_values_of(result, workload, inputs.cluster);
          row.insert(row.end(), own.begin(), own.end());
        }
      }
    }
    return row;
  });
  Measurements measured;
  if (run.stop.now()) return measured;
  std::size_t at = 0;
  for (const auto& [application, maps] : inputs.applications) {
    for (const std::string& order : inputs.orders) {
      std::vector<PlacingSamples> samples(inputs.placings.size());
      for (PlacingSamples& own : samples) {
        for (std::size_t value = 0; value < map_values; ++value) own.push_back(column(rows, at++));
      }
      Comparison(fmt::format("{}.{}.", application, order), inputs.placings, std::move(samples), measured)
          .record();
    }
  }
  return measured;
}

}  // namespace

// Two figures of the paper are of the same runs.
Measurements measure_locality(const Json& inputs, const ExperimentRun& run) {
  return measured_once(inputs, run, measure_placers);
}

}  // namespace wavewright::app
