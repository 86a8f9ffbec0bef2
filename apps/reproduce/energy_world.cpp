#include "apps/reproduce/energy_world.h"

#include <cmath>

#include <fmt/format.h>

namespace wavewright::app {

namespace {

NodeGroup row_of(const std::string& node_class, std::vector<std::string> hosts, Count maps, Count reduces,
                 double idle_w) {
  NodeGroup group;
  group.node_class = node_class;
  group.count = static_cast<Count>(hosts.size());
  group.hosts = std::move(hosts);
  group.slots = {maps, reduces};
  group.power_idle_w = group.power_busy_w = idle_w;
  return group;
}

}  // namespace

Duration seconds_of(const Json& json) {
  constexpr double ms_per_s = 1000;
  return ms(std::llround(ms_per_s * json.get<double>()));
}

EnergyWorld read_energy_world(const Json& json) {
  EnergyWorld world;
  const Json& from = json.at("cluster");
  const Json& idle = from.at("idle_w");
  std::vector<std::string> hosts;
  for (int i = 1; i <= 6; ++i) hosts.push_back(fmt::format("cpu{}", i));
  const Count reduces = from.at("reduce_slots");
  world.cluster.nodes.push_back(row_of("cpu", hosts, from.at("cpu_containers"), reduces, idle.at("cpu")));
  const double loadgen_w = from.at("loadgen_w");
  const bool by_node = from.value("drawn_by", "task") == "node";
  world.cluster.classes["cpu"].map_w = loadgen_w;
  int number = 0;
  for (const char* const type : {"I", "II"}) {
    const std::string host = fmt::format("gpu{}", ++number);
    const double watts = loadgen_w / from.at("loadgen_factor").at(type).get<double>();
    world.cluster.nodes.push_back(
        row_of(type, {host}, from.at("gpu_cpu_containers"), reduces, idle.at(type)));
    world.cluster.nodes.push_back(row_of(type + std::string("-gpu"), {host + "-device"}, 1, 0, 0));
    world.cluster.classes[type].map_w = watts;
    NodeClass& device = world.cluster.classes[type + std::string("-gpu")];
    device.label = "gpu";
    device.map_w = watts;
  }
  for (auto& [name, of] : world.cluster.classes) {
    of.reduce_w = 0;
    of.drawn_by = by_node ? DrawnBy::node : DrawnBy::task;
  }
  world.cluster.mode.heartbeat = seconds_of(from.at("heartbeat_s"));
  world.cluster.mode.out_of_band = from.value("out_of_band", true);
  world.cluster.mode.launch = seconds_of(from.at("launch_s"));
  world.cluster.reads.kind = Reads::Kind::network;
  world.cluster.network.card_mbps = from.at("card_mbps");
  world.settings = json.value("workload", world.settings);
  for (const auto& [name, policy] : json.at("policies").items())
    world.policies.emplace_back(name, policy.get<std::string>());
  return world;
}

}  // namespace wavewright::app
