#include "wavewright/cluster/cluster_file.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wavewright/cluster/cluster_rows.h"
#include "wavewright/cluster/topology.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/nearest.h"
#include "wavewright/core/toml_table.h"

namespace wavewright {

namespace {

constexpr std::size_t largest_file = std::size_t{16} << 20;

ClusterMode read_mode(const toml::table& toml, const std::string& source) {
  TomlTable table(toml, "mode", source);
  ClusterMode mode;
  const bool slots = table.choose("kind", {"slots", "containers"}) == 0;
  mode.kind = slots ? ClusterMode::Kind::slots : ClusterMode::Kind::containers;
  std::int64_t heartbeat = 0;
  table.take("heartbeat_ms", 0, 3'600'000, heartbeat);
  mode.heartbeat = ms(heartbeat);
  table.take("out_of_band", mode.out_of_band);
  table.take("maps_per_heartbeat", 0, most_slots, mode.maps_per_heartbeat);
  table.take("reduces_per_heartbeat", 0, most_slots, mode.reduces_per_heartbeat);
  std::int64_t launch = 0;
  table.take("launch_ms", 0, 3'600'000, launch);
  mode.launch = ms(launch);
  table.take("slowstart", false, 1, mode.slowstart);
  table.take("speculation", mode.speculation);
  mode.rule = table.choose("speculation_rule", {"hadoop", "late"}) == 0 ? SpeculationRule::hadoop
                                                                        : SpeculationRule::late;
  std::int64_t after = to_ms(mode.speculation_after), check = to_ms(mode.speculation_check);
  table.take("speculation_after_ms", 0, 86'400'000, after);
  table.take("speculation_check_ms", 1, 86'400'000, check);
  mode.speculation_after = ms(after);
  mode.speculation_check = ms(check);
  table.refuse_unknown();
  return mode;
}

Hdfs read_hdfs(const toml::table& toml, const std::string& source) {
  TomlTable table(toml, "hdfs", source);
  Hdfs hdfs;
  std::int64_t replication = hdfs.replication;
  table.take("replication", 1, 512, replication);
  hdfs.replication = static_cast<int>(replication);
  std::int64_t block_mb = hdfs.block.count >> 20;
  table.take("block_mb", 1, most_megabytes, block_mb);
  hdfs.block = Bytes{block_mb << 20};
  constexpr double most_skew = 10;
  table.take("skew", false, most_skew, hdfs.skew);
  table.refuse_unknown();
  return hdfs;
}

Reads read_reads(const toml::table& toml, const std::string& source) {
  TomlTable table(toml, "reads", source);
  Reads reads;
  constexpr Reads::Kind kinds[] = {Reads::Kind::anywhere, Reads::Kind::slowdown, Reads::Kind::network};
  reads.kind = kinds[table.choose("kind", {"anywhere", "slowdown", "network"})];
  constexpr double most = 1000;
  table.take("rack", true, most, reads.rack);
  reads.off_rack = reads.rack;
  table.take("off_rack", true, most, reads.off_rack);
  if (reads.rack < 1 || reads.off_rack < reads.rack) {
    table.refuse("reads from afar are no faster", "give rack of at least 1 and off_rack of at least rack");
  }
  table.refuse_unknown();
  return reads;
}

Network read_network(const toml::table& toml, const std::string& source) {
  TomlTable table(toml, "network", source);
  Network network;
  constexpr double most = 1e9;
  constexpr std::int64_t most_rounds = 1000;
  table.take("card_mbps", true, most, network.card_mbps);
  table.take("uplink_mbps", false, most, network.uplink_mbps);
  table.take("shuffle", network.shuffle);
  table.take("rounds", 1, most_rounds, network.rounds);
  std::int64_t overhead = 0;
  table.take("overhead_ms", 0, longest_wait_ms, overhead);
  network.overhead = ms(overhead);
  constexpr double least = 0.008;  // one byte per ms
  if (network.card_mbps < least || (network.uplink_mbps > 0 && network.uplink_mbps < least))
    table.refuse("a link carries less than a byte a millisecond", "give at least 0.008 Mbit/s");
  table.refuse_unknown();
  return network;
}

Faults read_faults(const toml::table& toml, const std::string& source) {
  TomlTable table(toml, "faults", source);
  Faults faults;
  constexpr double most = 1000;
  constexpr std::int64_t most_attempts = 1000;
  table.take("task_failure", false, 1, faults.task_failure);
  table.take("max_attempts", 1, most_attempts, faults.max_attempts);
  table.take("straggler", false, 1, faults.straggler);
  table.take("straggler_slowdown", true, most, faults.straggler_slowdown);
  table.take("blacklist_after", 0, most_attempts, faults.blacklist_after);
  faults.keeps_map_output = table.choose("lost_map_output", {"rerun", "kept"}) == 1;
  if (faults.straggler_slowdown < 1)
    table.refuse("stragglers are not faster", "give straggler_slowdown from 1");
  table.refuse_unknown();
  return faults;
}

ContainerLimits read_limits(const toml::table& toml, const std::string& source) {
  TomlTable table(toml, "limits", source);
  ContainerLimits limits;
  const auto take = [&](const char* key, std::int64_t most) -> std::optional<std::int64_t> {
    std::int64_t value = 0;
    table.take(key, 1, most, value);
    return value == 0 ? std::nullopt : std::optional(value);
  };
  const auto megabytes = [&](const char* key) -> std::optional<Bytes> {
    const auto value = take(key, most_megabytes);
    return value ? std::optional(Bytes{*value << 20}) : std::nullopt;
  };
  limits.min_memory = megabytes("min_memory_mb");
  limits.max_memory = megabytes("max_memory_mb");
  limits.min_vcores = take("min_vcores", most_slots);
  limits.max_vcores = take("max_vcores", most_slots);
  table.refuse_unknown();
  return limits;
}

Launches read_launches(const toml::table& toml, const std::string& source) {
  TomlTable table(toml, "launches", source);
  Launches launches;
  std::int64_t work = 0, master = -1;
  table.take("work_ms", 0, 3'600'000, work);
  table.take("master_work_ms", 0, 3'600'000, master);
  table.take("processors", 0, most_slots, launches.processors);
  launches.of_node = table.choose("shared_by", {"node", "cluster"}) == 0;
  launches.work = ms(work);
  launches.master_work = ms(master < 0 ? work : master);
  if (launches.processors == 0 && (launches.work > Duration{} || launches.master_work > Duration{}))
    table.refuse("launches take processor time, and share no processors",
                 "give `processors`, or add the time to launch_ms of [mode]");
  std::int64_t submit = 0;
  table.take("submit_work_ms", 0, 3'600'000, submit);
  launches.submit_work = ms(submit);
  if (submit > 0 && launches.of_node)
    table.refuse("submit_work_ms: clients share no single node's processors",
                 "give it with shared_by = \"cluster\", or leave it out");
  table.refuse_unknown();
  return launches;
}

Containers read_containers(const toml::table& toml, const std::string& source) {
  TomlTable table(toml, "containers", source);
  Containers containers;
  const auto take = [&](const char* memory_key, const char* vcores_key, ContainerRequest& request) {
    std::int64_t memory_mb = request.memory.count >> 20;
    table.take(memory_key, 1, most_megabytes, memory_mb);
    request.memory = Bytes{memory_mb << 20};
    table.take(vcores_key, 1, most_slots, request.vcores);
  };
  take("master_memory_mb", "master_vcores", containers.master);
  take("map_memory_mb", "map_vcores", containers.map);
  take("reduce_memory_mb", "reduce_vcores", containers.reduce);
  table.take("count_vcores", containers.count_vcores);
  table.take("per_heartbeat", 0, most_slots, containers.per_heartbeat);
  table.take("off_switch_per_heartbeat", 0, most_slots, containers.off_switch_per_heartbeat);
  table.refuse_unknown();
  return containers;
}

Masters read_masters(const toml::table& toml, const std::string& source) {
  TomlTable table(toml, "masters", source);
  Masters masters;
  const auto duration = [&](const char* key, std::int64_t least, Duration& value) {
    std::int64_t taken = to_ms(value);
    table.take(key, least, longest_wait_ms, taken);
    value = ms(taken);
  };
  duration("start_ms", 0, masters.start);
  duration("finish_ms", 0, masters.finish);
  duration("stop_ms", 0, masters.stop);
  duration("heartbeat_ms", 1, masters.heartbeat);
  table.take("ramp_up", false, 1, masters.ramp_up);
  table.take("see_vcores", masters.see_vcores);
  duration("reducer_preempt_delay_ms", 0, masters.preempt_delay);
  std::int64_t unconditional = to_ms(*masters.unconditional_preempt_delay);
  table.take("reducer_unconditional_preempt_delay_ms", -1, longest_wait_ms, unconditional);
  masters.unconditional_preempt_delay = unconditional < 0 ? std::nullopt : std::optional(ms(unconditional));
  table.refuse_unknown();
  return masters;
}

std::map<std::string, NodeClass> read_classes(const toml::table& toml, const std::string& source) {
  std::map<std::string, NodeClass> classes;
  for (const auto& [key, node] : toml) {
    const std::string name(key.str());
    if (!node.is_table()) {
      TomlTable(toml, "classes", source)
          .refuse(node.source(), fmt::format("'classes.{}' is not a table", name),
                  fmt::format("write [classes.{}]", name));
    }
    classes.emplace(name, read_class(*node.as_table(), name, source));
  }
  return classes;
}

void require_nodes(const Cluster& cluster, const std::string& node_class, const TomlTable& table) {
  std::vector<std::string> known;
  known.reserve(cluster.nodes.size());
  for (const NodeGroup& group : cluster.nodes) known.push_back(group.node_class);
  if (std::find(known.begin(), known.end(), node_class) != known.end()) return;
  table.refuse(fmt::format("no node is of class '{}'", node_class), suggestion(node_class, known));
}

// The first key in which two rows differ that policies take to be that of the class's machines for rent.
std::string_view difference(const NodeGroup& one, const NodeGroup& other) {
  const std::pair<bool, std::string_view> keys[] = {
      {one.slots.map_slots == other.slots.map_slots, "map_slots"},
      {one.slots.reduce_slots == other.slots.reduce_slots, "reduce_slots"},
      {one.memory == other.memory, "memory_mb"},
      {one.vcores == other.vcores, "vcores"},
      {one.boot == other.boot, "boot_ms"},
      {one.notice == other.notice, "notice_ms"},
      {one.price_per_hour == other.price_per_hour, "price_per_hour"},
      {one.spot == other.spot, "spot"},
      {one.billing == other.billing, "billing"},
      {one.terms == other.terms, "how they are billed"}};
  for (const auto& [equal, key] : keys)
    if (!equal) return key;
  return {};
}

// Refuses the last row if it is for rent and another one of its class is for rent on other terms.
void require_alike(const std::vector<NodeGroup>& rows, const TomlTable& table) {
  const NodeGroup& last = rows.back();
  const auto before = std::find_if(rows.begin(), rows.end(), [&](const NodeGroup& row) {
    return row.rent && row.node_class == last.node_class;
  });
  if (!last.rent || &*before == &last) return;
  const std::string_view differs = difference(*before, last);
  if (differs.empty()) return;
  table.refuse(fmt::format("nodes[{}] and nodes[{}] are for rent, of class '{}', and differ in {}",
                           before - rows.begin() + 1, rows.size(), last.node_class, differs),
               "give each a class of its own");
}

// Two nodes may not share a name: a host, or `node3` where a row names no hosts.
void require_own_names(const Cluster& cluster, const toml::array& rows, const std::string& source) {
  if (std::all_of(cluster.nodes.begin(), cluster.nodes.end(),
                  [](const NodeGroup& row) { return row.hosts.empty(); }))
    return;
  std::unordered_set<std::string> seen;
  for (std::size_t row = 0; row < cluster.nodes.size(); ++row) {
    const NodeGroup& group = cluster.nodes[row];
    for (std::size_t i = 0; i < static_cast<std::size_t>(group.count); ++i) {
      const std::string name = node_name(group, i, seen.size());
      if (seen.insert(name).second) continue;
      const toml::table& toml = *rows[row].as_table();
      const toml::node& where = group.hosts.empty() ? toml : (*toml.get("hosts")->as_array())[i];
      TomlTable(toml, "nodes", source)
          .refuse(
              where.source(), fmt::format("two nodes of the cluster are called '{}'", name),
              "give each host a name of its own; the third node is called node3 if its row names no hosts");
    }
  }
}

void require_known_nodes(const Cluster& cluster, const toml::array& outages, const std::string& source) {
  const Topology topology = expand(cluster);
  const std::unordered_set<std::string_view> names(topology.names.begin(), topology.names.end());
  for (std::size_t i = 0; i < cluster.outages.size(); ++i) {
    const std::string& node = cluster.outages[i].node;
    if (names.contains(node)) continue;
    TomlTable(*outages[i].as_table(), "outages", source)
        .refuse(fmt::format("an outage of node '{}', which the cluster has not", node),
                suggestion(node, topology.names));
  }
}

// Only leases wake machines.
void require_rent(const Cluster& cluster, const std::string& node_class, const NodeClass& of,
                  const TomlTable& table) {
  const bool rented = std::any_of(cluster.nodes.begin(), cluster.nodes.end(), [&](const NodeGroup& group) {
    return group.rent && group.node_class == node_class;
  });
  if (of.wake_j > 0 && !rented) {
    table.refuse(fmt::format("classes.{}: wake_j for machines that no policy rents", node_class),
                 "leave it out, or give rent = true to its [[nodes]]");
  }
}

}  // namespace

Cluster parse_cluster(std::string_view toml, const std::string& source) {
  const toml::table root = parse_toml(toml, source, "docs/formats/cluster-file.md");
  TomlTable table(root, "", source);
  Cluster cluster;
  const auto section = [&](const char* key) -> const toml::table* {
    const toml::node* const node = table.find(key);
    if (node != nullptr && !node->is_table()) {
      table.refuse(node->source(), fmt::format("'{}' is not a table", key), fmt::format("write [{}]", key));
    }
    return node == nullptr ? nullptr : node->as_table();
  };
  const toml::node* const nodes = table.find("nodes");
  const toml::node* const queues = table.find("queues");
  const toml::node* const outages = table.find("outages");
  if (const toml::table* limits = section("limits")) cluster.limits = read_limits(*limits, source);
  if (const toml::table* launches = section("launches")) cluster.launches = read_launches(*launches, source);
  if (const toml::table* each = section("containers")) cluster.containers = read_containers(*each, source);
  if (const toml::table* masters = section("masters")) cluster.masters = read_masters(*masters, source);
  if (const toml::table* hdfs = section("hdfs")) cluster.hdfs = read_hdfs(*hdfs, source);
  if (const toml::table* reads = section("reads")) cluster.reads = read_reads(*reads, source);
  if (const toml::table* network = section("network")) cluster.network = read_network(*network, source);
  if (const toml::table* faults = section("faults")) cluster.faults = read_faults(*faults, source);
  if (const toml::table* grid = section("grid")) cluster.carbon = read_carbon(*grid, source);
  if (const toml::table* mode = section("mode")) cluster.mode = read_mode(*mode, source);
  const toml::table* const class_tables = section("classes");
  if (class_tables != nullptr) cluster.classes = read_classes(*class_tables, source);
  table.refuse_unknown();
  if (nodes == nullptr) throw InputError({source}, "no nodes", "write at least one [[nodes]]");
  if (!nodes->is_array_of_tables()) {
    table.refuse(nodes->source(), "'nodes' is not a list of tables", "write [[nodes]]");
  }
  if (queues != nullptr && !queues->is_array_of_tables()) {
    table.refuse(queues->source(), "'queues' is not a list of tables", "write [[queues]]");
  }
  if (queues != nullptr) {
    for (const toml::node& each : *queues->as_array()) {
      cluster.queues.push_back(read_queue(*each.as_table(), cluster.queues, cluster.mode.kind, source));
    }
  }
  if (outages != nullptr && !outages->is_array_of_tables()) {
    table.refuse(outages->source(), "'outages' is not a list of tables", "write [[outages]]");
  }
  if (outages != nullptr) {
    for (const toml::node& each : *outages->as_array()) {
      cluster.outages.push_back(read_outage(*each.as_table(), cluster.outages.size() + 1, source));
    }
  }
  std::int64_t count = 0;
  for (const toml::node& each : *nodes->as_array()) {
    cluster.nodes.push_back(
        read_group(*each.as_table(), cluster.nodes.size() + 1, cluster.mode.kind, cluster.classes, source));
    count += cluster.nodes.back().count;
    if (count > most_nodes)
      table.refuse(each.source(), fmt::format("more than {} nodes", most_nodes), "take fewer");
    require_alike(cluster.nodes, TomlTable(*each.as_table(), "nodes", source));
  }
  require_own_names(cluster, *nodes->as_array(), source);
  if (!cluster.outages.empty()) require_known_nodes(cluster, *outages->as_array(), source);
  for (const auto& [name, of] : cluster.classes) {
    const TomlTable own(*(*class_tables)[name].as_table(), "classes", source);
    require_nodes(cluster, name, own);
    require_rent(cluster, name, of, own);
  }
  return cluster;
}

Cluster read_cluster(const std::filesystem::path& path) {
  return parse_cluster(read_file(path, largest_file), path.string());
}

}  // namespace wavewright
