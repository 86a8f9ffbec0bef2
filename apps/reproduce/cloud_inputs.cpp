#include "apps/reproduce/cloud_inputs.h"

#include "wavewright/cloud/worlds/declared_prices.h"
#include "wavewright/core/error.h"
#include "wavewright/core/spec.h"
#include "wavewright/job/swim.h"

namespace wavewright::app {

namespace {

SwimModel read_model(const Json& json) {
  SwimModel model;
  const auto bytes = [&](const char* key, Bytes& value) {
    if (json.contains(key)) value = parse_bytes(json.at(key).get<std::string>());
  };
  const auto lengths = [&](const char* key, std::optional<Distribution>& value) {
    if (json.contains(key)) value = parse_distribution(json.at(key).get<std::string>());
  };
  bytes("block", model.block);
  bytes("per_reduce", model.per_reduce);
  bytes("map_rate", model.map_rate);
  bytes("shuffle_rate", model.shuffle_rate);
  bytes("reduce_rate", model.reduce_rate);
  bytes("write_rate", model.write_rate);
  lengths("map_durations", model.map_durations);
  lengths("reduce_durations", model.reduce_durations);
  if (json.contains("start")) model.start = parse_duration(json.at("start").get<std::string>());
  return model;
}

std::vector<DeclaredPrices::Part> read_parts(const Json& json) {
  std::vector<DeclaredPrices::Part> parts;
  for (const Json& each : json) parts.push_back({each.at("weight"), each.at("median"), each.at("factor")});
  return parts;
}

PriceModel read_prices(const Json& json) {
  return declared_price_model({.prices = read_parts(json.at("usd")),
                               .times = read_parts(json.at("seconds")),
                               .least_usd = json.at("least_usd"),
                               .most_usd = json.at("most_usd"),
                               .correlation = json.value("correlation", 0.0)});
}

Duration seconds(const Json& json) {
  return ms(std::llround(1000 * json.get<double>()));
}

NodeGroup read_machine(const Json& json) {
  NodeGroup machine;
  machine.node_class = "m3.medium";
  machine.slots = {json.at("map_slots"), json.at("reduce_slots")};
  machine.price_per_hour = json.at("usd_per_hour");
  machine.boot = seconds(json.at("boot_s"));
  machine.count = json.at("most");
  machine.billing = json.at("billing") == "hour" ? Billing::per_started_hour : Billing::per_second;
  machine.terms.interrupted_hour = json.value("interrupted_hour", "free") == "charged";
  machine.rent = true;
  if (machine.count < 1 || machine.count > most_nodes || machine.boot < Duration{} ||
      machine.slots.map_slots < 1 || machine.slots.reduce_slots < 1) {
    throw InputError({"reproduce"}, "the machine's numbers are out of range", "correct them");
  }
  return machine;
}

JobSelection read_selection(const Json& json, const Json& without) {
  JobSelection selection;
  if (json.contains("jobs")) selection.first = json.at("jobs").get<Count>();
  if (json.contains("within_s")) selection.within = seconds(json.at("within_s"));
  selection.without = without.get<std::vector<std::string>>();
  return selection;
}

}  // namespace

std::string with_parameters(const std::string& policy, const std::map<std::string, std::string>& more) {
  const Spec spec = parse_spec(policy);
  std::vector<std::string> arguments = spec.positional;
  std::map<std::string, std::string> all = more;
  for (const auto& [key, value] : spec.parameters) all[key] = value;
  for (const auto& [key, value] : all) arguments.push_back(key + "=" + value);
  return arguments.empty() ? spec.name : fmt::format("{}({})", spec.name, fmt::join(arguments, ", "));
}

CloudInputs read_cloud_inputs(const Json& inputs) {
  if (!inputs.at("trace").is_string())
    throw UsageError("the experiment needs a SWIM trace", "name one with --trace FILE");
  CloudInputs result;
  result.trace = read_swim(inputs.at("trace").get<std::string>(), read_model(inputs.at("swim"))).workload;
  const Json& deadline = inputs.at("deadline");
  WorldOptions options;
  options.least_factor = deadline.at("least");
  options.most_factor = deadline.at("most");
  options.boot_in_shortest = deadline.at("boot_in_shortest");
  options.machine = read_machine(inputs.at("machine"));
  options.faults.keeps_map_output = inputs.at("machine").value("lost_map_output", "rerun") == "kept";
  options.spot = read_prices(inputs.at("prices"));
  for (const auto& [name, selection] : inputs.at("workloads").items()) {
    options.jobs = read_selection(selection, inputs.value("without", Json::array()));
    result.workloads.emplace_back(name, options);
  }
  const auto more = inputs.value("with", std::map<std::string, std::string>());
  for (const auto& [name, policy] : inputs.at("policies").items())
    result.policies.emplace_back(name, with_parameters(policy.get<std::string>(), more));
  if (result.workloads.empty() || result.policies.empty())
    throw InputError({"reproduce"}, "no workload or no policy", "name at least one of each");
  return result;
}

}  // namespace wavewright::app
