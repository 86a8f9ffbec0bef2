// Writes a cluster as the text of its file.
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/toml_text.h"

namespace wavewright {

namespace {

std::string quoted_list(const std::vector<std::string>& texts) {
  std::string result;
  for (const std::string& text : texts) result += (result.empty() ? "" : ", ") + toml_text(text);
  return result;
}

std::string limits_text(const ContainerLimits& limits) {
  std::string lines;
  const auto line = [&](const char* key, std::int64_t value) {
    lines += fmt::format("{} = {}\n", key, value);
  };
  if (limits.min_memory) line("min_memory_mb", limits.min_memory->count >> 20);
  if (limits.max_memory) line("max_memory_mb", limits.max_memory->count >> 20);
  if (limits.min_vcores) line("min_vcores", *limits.min_vcores);
  if (limits.max_vcores) line("max_vcores", *limits.max_vcores);
  return lines.empty() ? lines : "\n[limits]\n" + lines;
}

std::string containers_text(const Containers& containers) {
  std::string text = "\n[containers]\n";
  const auto line = [&](const char* kind, const ContainerRequest& request) {
    text += fmt::format("{0}_memory_mb = {1}\n{0}_vcores = {2}\n", kind, request.memory.count >> 20,
                        request.vcores);
  };
  line("master", containers.master);
  line("map", containers.map);
  line("reduce", containers.reduce);
  text += fmt::format("count_vcores = {}\nper_heartbeat = {}\noff_switch_per_heartbeat = {}\n",
                      containers.count_vcores, containers.per_heartbeat, containers.off_switch_per_heartbeat);
  return text;
}

std::string masters_text(const Masters& masters) {
  std::string text = fmt::format(
      "\n[masters]\nstart_ms = {}\nfinish_ms = {}\nstop_ms = {}\nheartbeat_ms = {}\nramp_up = {}\nsee_vcores "
      "= {}\n",
      to_ms(masters.start), to_ms(masters.finish), to_ms(masters.stop), to_ms(masters.heartbeat),
      masters.ramp_up, masters.see_vcores);
  const Masters usual;
  if (masters.preempt_delay != usual.preempt_delay)
    text += fmt::format("reducer_preempt_delay_ms = {}\n", to_ms(masters.preempt_delay));
  if (masters.unconditional_preempt_delay != usual.unconditional_preempt_delay) {
    text += fmt::format("reducer_unconditional_preempt_delay_ms = {}\n",
                        to_ms(masters.unconditional_preempt_delay.value_or(ms(-1))));
  }
  return text;
}

// Only what differs from the default.
std::string terms_text(const BillingTerms& terms) {
  std::string lines;
  if (terms.least > Duration{}) lines += fmt::format("least_billed_ms = {}\n", to_ms(terms.least));
  if (terms.boot) lines += "boot_billed = true\n";
  if (terms.interrupted_hour) lines += "interrupted_hour = \"charged\"\n";
  return lines;
}

std::string class_text(const std::string& name, const NodeClass& of) {
  std::string text = fmt::format("\n[classes.{}]\n", toml_text(name));
  const auto watts = [&](const char* key, const std::optional<double>& value) {
    if (value) text += fmt::format("{} = {}\n", key, *value);
  };
  if (!of.label.empty()) text += fmt::format("label = {}\n", toml_text(of.label));
  if (of.drawn_by == DrawnBy::node) text += "drawn_by = \"node\"\n";
  watts("power_idle_w", of.idle_w);
  watts("power_busy_w", of.busy_w);
  watts("power_map_w", of.map_w);
  watts("power_reduce_w", of.reduce_w);
  watts("power_master_w", of.master_w);
  if (!of.curve_w.empty()) text += fmt::format("power_curve_w = [{}]\n", fmt::join(of.curve_w, ", "));
  if (of.off_w > 0) watts("power_off_w", of.off_w);
  if (of.wake_j > 0) watts("wake_j", of.wake_j);
  return text;
}

std::string carbon_text(const std::vector<CarbonIntensity>& carbon) {
  std::string steps;
  for (const CarbonIntensity& each : carbon)
    steps += fmt::format("{}[{}, {}]", steps.empty() ? "" : ", ", to_ms(each.from), each.grams_per_kwh);
  return steps.empty() ? steps : "\n[grid]\nco2_g_per_kwh = [" + steps + "]\n";
}

}  // namespace

std::string to_toml(const Cluster& cluster) {
  const ClusterMode& mode = cluster.mode;
  std::string text = fmt::format(
      "[mode]\nkind = \"{}\"\nheartbeat_ms = {}\nout_of_band = {}\nmaps_per_heartbeat = {}\n"
      "reduces_per_heartbeat = {}\nlaunch_ms = {}\nslowstart = {}\nspeculation = {}\n"
      "speculation_rule = \"{}\"\nspeculation_after_ms = {}\nspeculation_check_ms = {}\n\n"
      "[hdfs]\nreplication = {}\nblock_mb = {}\nskew = {}\n",
      mode.kind == ClusterMode::Kind::slots ? "slots" : "containers", to_ms(mode.heartbeat), mode.out_of_band,
      mode.maps_per_heartbeat, mode.reduces_per_heartbeat, to_ms(mode.launch), mode.slowstart,
      mode.speculation, mode.rule == SpeculationRule::late ? "late" : "hadoop", to_ms(mode.speculation_after),
      to_ms(mode.speculation_check), cluster.hdfs.replication, cluster.hdfs.block.count >> 20,
      cluster.hdfs.skew);
  if (cluster.reads.kind == Reads::Kind::slowdown) {
    text += fmt::format("\n[reads]\nkind = \"slowdown\"\nrack = {}\noff_rack = {}\n", cluster.reads.rack,
                        cluster.reads.off_rack);
  }
  if (cluster.reads.kind == Reads::Kind::network) text += "\n[reads]\nkind = \"network\"\n";
  const Network& network = cluster.network;
  if (cluster.reads.kind == Reads::Kind::network || network.shuffle || network.overhead > Duration{}) {
    text += fmt::format(
        "\n[network]\ncard_mbps = {}\nuplink_mbps = {}\nshuffle = {}\nrounds = {}\noverhead_ms = {}\n",
        network.card_mbps, network.uplink_mbps, network.shuffle, network.rounds, to_ms(network.overhead));
  }
  const Faults& faults = cluster.faults;
  text += fmt::format(
      "\n[faults]\ntask_failure = {}\nmax_attempts = {}\nstraggler = {}\nstraggler_slowdown = {}\n"
      "blacklist_after = {}\n",
      faults.task_failure, faults.max_attempts, faults.straggler, faults.straggler_slowdown,
      faults.blacklist_after);
  if (faults.keeps_map_output) text += "lost_map_output = \"kept\"\n";
  const Launches& launches = cluster.launches;
  text +=
      fmt::format("\n[launches]\nwork_ms = {}\nmaster_work_ms = {}\nprocessors = {}\nshared_by = \"{}\"\n",
                  to_ms(launches.work), to_ms(launches.master_work), launches.processors,
                  launches.of_node ? "node" : "cluster");
  if (launches.submit_work > Duration{})
    text += fmt::format("submit_work_ms = {}\n", to_ms(launches.submit_work));
  text += limits_text(cluster.limits);
  const bool containers = mode.kind == ClusterMode::Kind::containers;
  const Masters& masters = cluster.masters;
  if (containers) text += containers_text(cluster.containers);
  if (containers || masters.start + masters.finish > Duration{}) text += masters_text(masters);
  text += carbon_text(cluster.carbon);
  for (const auto& [name, of] : cluster.classes) text += class_text(name, of);
  for (const Outage& outage : cluster.outages) {
    text +=
        fmt::format("\n[[outages]]\nnode = {}\nfrom_ms = {}\n", toml_text(outage.node), to_ms(outage.from));
    if (outage.to) text += fmt::format("to_ms = {}\n", to_ms(*outage.to));
  }
  for (const Queue& queue : cluster.queues) {
    text += fmt::format("\n[[queues]]\nname = {}\nweight = {}\n", toml_text(queue.name), queue.weight);
    text += containers ? fmt::format("min_memory_mb = {}\n", queue.minimum.map_slots)
                       : fmt::format("min_map_slots = {}\nmin_reduce_slots = {}\n", queue.minimum.map_slots,
                                     queue.minimum.reduce_slots);
    text += fmt::format(
        "capacity = {}\nmaximum = {}\nminimum_user_limit = {}\nuser_limit_factor = {}\nmaximum_masters = "
        "{}\n",
        queue.capacity, queue.maximum, queue.minimum_user_limit, queue.user_limit_factor,
        queue.maximum_masters);
  }
  for (const NodeGroup& group : cluster.nodes) {
    text += fmt::format("\n[[nodes]]\ncount = {}\nclass = {}\nrack = {}\nmap_slots = {}\nreduce_slots = {}\n",
                        group.count, toml_text(group.node_class), toml_text(group.rack),
                        group.slots.map_slots, group.slots.reduce_slots);
    if (!group.hosts.empty()) text += fmt::format("hosts = [{}]\n", quoted_list(group.hosts));
    if (group.memory.count > 0) text += fmt::format("memory_mb = {}\n", group.memory.count >> 20);
    if (group.vcores > 0) text += fmt::format("vcores = {}\n", group.vcores);
    text += fmt::format(
        "speed = {}\ntask_failure = {}\npower_idle_w = {}\npower_busy_w = {}\nprice_per_hour = {}\n",
        group.speed, group.task_failure, group.power_idle_w, group.power_busy_w, group.price_per_hour);
    if (group.join > Time{}) text += fmt::format("join_ms = {}\n", to_ms(group.join));
    if (group.leave) text += fmt::format("leave_ms = {}\n", to_ms(*group.leave));
    std::string spot;
    for (const SpotPrice& each : group.spot)
      spot += fmt::format("{}[{}, {}]", spot.empty() ? "" : ", ", to_ms(each.from), each.price_per_hour);
    if (!spot.empty()) text += "spot = [" + spot + "]\n";
    if (group.bid) text += fmt::format("bid = {}\n", *group.bid);
    if (group.rent) {
      text += fmt::format("rent = true\nboot_ms = {}\nbilling = \"{}\"\n", to_ms(group.boot),
                          group.billing == Billing::per_second ? "second" : "hour");
      if (group.notice > Duration{}) text += fmt::format("notice_ms = {}\n", to_ms(group.notice));
      text += terms_text(group.terms);
    }
  }
  return text;
}

}  // namespace wavewright
