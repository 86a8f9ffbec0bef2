#include "wavewright/live/resource_manager.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/history/json.h"

namespace wavewright {

namespace {

using json::for_each;
using json::member;
using json::Value;

[[noreturn]] void not_a_resource_manager(const std::string& url, const std::string& what) {
  throw ExternalError({url}, what, "name the ResourceManager's web address, like http://HOST:8088");
}

Value parse(json::Document& document, std::string_view text, const std::string& url) {
  try {
    return document.parse(text, url);
  } catch (const InputError& error) {
    const bool page = text.starts_with('<');
    not_a_resource_manager(
        url, "does not answer with JSON: " + (page ? "a web page, of a login or a proxy" : error.problem()));
  }
}

std::string text_at(Value object, std::string_view key) {
  return std::string(json::text(object, key));
}

// The number if it is finite; `otherwise` if absent.
double number_at(Value object, std::string_view key, double otherwise) {
  const std::optional<Value> value = member(object, key);
  double number = otherwise;
  if (!value || value->get(number) != simdjson::SUCCESS || !std::isfinite(number)) return otherwise;
  return number;
}

Count count_at(Value object, std::string_view key) {
  constexpr std::int64_t most = 1'000'000'000'000;
  return std::clamp<std::int64_t>(json::integer(object, key).value_or(0), 0, most);
}

// Calls `each` for the entries of `outer.inner`. Hadoop writes an empty list as null, "" or {}.
template <class Each>
void each_in(Value object, std::string_view outer, std::string_view inner, Each each) {
  const std::optional<Value> holder = member(object, outer);
  if (holder) for_each(*holder, inner, each);
}

std::string label_of(Value node) {
  std::string label;
  for_each(node, "nodeLabels", [&](Value one) {
    std::string_view text;
    if (label.empty() && one.get(text) == simdjson::SUCCESS) label = text;
  });
  return label.empty() ? "default" : label;
}

// Rounds to thousandths: Hadoop computes with floats, so 60 comes back as 60.000004.
double percent(double value) {
  constexpr double thousandths = 1000;
  return std::clamp(std::round(value * thousandths) / thousandths, 0.0, 100.0);
}

// Percent for application masters in the partition without a label.
double masters_limit(Value queue) {
  double limit = 100;
  each_in(queue, "capacities", "queueCapacitiesByPartition", [&](Value partition) {
    if (text_at(partition, "partitionName").empty())
      limit = number_at(partition, "maxAMLimitPercentage", limit);
  });
  return percent(limit);
}

void add_capacity_queues(Value parent, const std::string& path, Queues& into) {
  each_in(parent, "queues", "queue", [&](Value each) {
    Queue queue;
    queue.name = path + text_at(each, "queueName");
    queue.capacity = percent(number_at(each, "capacity", 0));
    queue.maximum = percent(number_at(each, "maxCapacity", 100));
    if (queue.maximum == 0) queue.maximum = 100;  // Hadoop's "no limit"
    queue.minimum_user_limit = percent(number_at(each, "userLimit", 100));
    queue.user_limit_factor = std::max(number_at(each, "userLimitFactor", 1), 0.0);
    if (queue.user_limit_factor == 0) queue.user_limit_factor = 1;  // parents have none
    queue.maximum_masters = masters_limit(each);
    if (text_at(each, "state") == "STOPPED") into.remarks.push_back("queue " + queue.name + " is stopped");
    into.queues.push_back(queue);
    add_capacity_queues(each, queue.name + ".", into);
  });
}

double fair_share(Value queue) {
  const std::optional<Value> resources = member(queue, "steadyFairResources");
  return resources ? number_at(*resources, "memory", 0) : 0;
}

// REST gives each queue's fair share; its part of the siblings' sum becomes the capacity.
void add_fair_queues(Value parent, Queues& into) {
  double all = 0;
  double children = 0;
  each_in(parent, "childQueues", "queue", [&](Value each) {
    all += fair_share(each);
    ++children;
  });
  each_in(parent, "childQueues", "queue", [&](Value each) {
    std::string name = text_at(each, "queueName");
    if (name.starts_with("root.")) name.erase(0, 5);
    const double share = all > 0 ? fair_share(each) / all : 1 / children;
    into.queues.push_back({.name = name, .capacity = percent(100 * share)});
    add_fair_queues(each, into);
  });
}

std::optional<double> number_in(const std::map<std::string, std::string>& settings, const char* key) {
  const auto setting = settings.find(key);
  if (setting == settings.end()) return std::nullopt;
  const std::string& text = setting->second;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// Containers per heartbeat; a setting that is absent has the scheduler's default.
void apply_scheduler(const std::map<std::string, std::string>& settings, Cluster& cluster) {
  const auto told = [&](const char* key, const char* otherwise) {
    const auto found = settings.find(key);
    return found == settings.end() || found->second.empty() ? std::string(otherwise) : found->second;
  };
  const auto whole = [&](const char* key, Count otherwise) {
    const auto value = number_in(settings, key);
    return value && *value >= 0 && *value <= 1e6 ? static_cast<Count>(std::llround(*value)) : otherwise;
  };
  const std::string scheduler = told("yarn.resourcemanager.scheduler.class", "");  // a NameNode has none
  Containers& given = cluster.containers;
  if (scheduler.ends_with("FairScheduler")) {
    given.per_heartbeat = told("yarn.scheduler.fair.assignmultiple", "false") == "true" ? 0 : 1;
    // The Fair scheduler rounds requests up to this step, not to the smallest container.
    const Count step = whole("yarn.resource-types.memory-mb.increment-allocation",
                             whole("yarn.scheduler.increment-allocation-mb", 1024));
    const Bytes least = cluster.limits.min_memory.value_or(Bytes{});
    cluster.limits.min_memory = std::max(least, Bytes{step << 20});
    cluster.masters.see_vcores = true;
  } else if (scheduler.ends_with("CapacityScheduler")) {
    const std::string key = "yarn.scheduler.capacity.per-node-heartbeat.";
    const bool many = told((key + "multiple-assignments-enabled").c_str(), "true") == "true";
    given.per_heartbeat = many ? whole((key + "maximum-container-assignments").c_str(), 100) : 1;
    given.off_switch_per_heartbeat = whole((key + "maximum-offswitch-assignments").c_str(), 1);
    given.count_vcores =
        told("yarn.scheduler.capacity.resource-calculator", "").ends_with("DominantResourceCalculator");
    cluster.masters.see_vcores = given.count_vcores;
  }
}

}  // namespace

Nodes parse_nodes(std::string_view text, const std::string& url) {
  json::Document document;
  const Value answer = parse(document, text, url);
  if (!member(answer, "nodes")) not_a_resource_manager(url, "tells no nodes");
  std::map<std::tuple<std::string, std::string, Count, Count>, Count> equal;
  Nodes nodes;
  each_in(answer, "nodes", "node", [&](Value node) {
    const Count memory = count_at(node, "usedMemoryMB") + count_at(node, "availMemoryMB");
    const Count vcores = count_at(node, "usedVirtualCores") + count_at(node, "availableVirtualCores");
    if (text_at(node, "state") != "RUNNING" || memory == 0 || vcores == 0) {  // offers nothing
      ++nodes.others;
      return;
    }
    ++nodes.running;
    ++equal[{label_of(node), text_at(node, "rack"), memory, vcores}];
  });
  for (const auto& [kind, count] : equal) {
    const auto& [label, rack, memory, vcores] = kind;
    NodeGroup group;
    group.count = count;
    group.node_class = label;
    if (!rack.empty()) group.rack = rack;
    group.memory = Bytes{memory << 20};
    group.vcores = vcores;
    nodes.groups.push_back(group);
  }
  std::stable_sort(nodes.groups.begin(), nodes.groups.end(),
                   [](const NodeGroup& a, const NodeGroup& b) { return a.count > b.count; });
  return nodes;
}

Queues parse_queues(std::string_view text, const std::string& url) {
  json::Document document;
  const std::optional<Value> scheduler = member(parse(document, text, url), "scheduler");
  const std::optional<Value> info = scheduler ? member(*scheduler, "schedulerInfo") : std::nullopt;
  if (!info || !info->is_object()) not_a_resource_manager(url, "tells no scheduler");
  Queues queues;
  queues.scheduler = text_at(*info, "type");
  const std::optional<Value> root = member(*info, "rootQueue");
  if (queues.scheduler == "capacityScheduler") {
    add_capacity_queues(*info, "", queues);
  } else if (queues.scheduler == "fairScheduler" && root) {
    add_fair_queues(*root, queues);
    queues.remarks.emplace_back("the Fair scheduler's queues are written with their fair shares as capacity");
  } else if (queues.scheduler != "fifoScheduler") {
    queues.remarks.push_back("the queues of scheduler '" + queues.scheduler + "' cannot be read");
  }
  return queues;
}

void apply_configuration(std::string_view text, const std::string& url, Cluster& cluster) {
  json::Document document;
  std::map<std::string, std::string> settings;
  for_each(parse(document, text, url), "properties",
           [&](Value property) { settings[text_at(property, "key")] = text_at(property, "value"); });
  const auto whole = [&](const char* key, double least, double most) -> std::optional<std::int64_t> {
    const auto value = number_in(settings, key);
    return value && *value >= least && *value <= most ? std::optional(std::llround(*value)) : std::nullopt;
  };
  const auto memory = [&](const char* key, std::optional<Bytes>& target) {
    if (const auto megabytes = whole(key, 1, 1e9)) target = Bytes{*megabytes << 20};
  };
  memory("yarn.scheduler.minimum-allocation-mb", cluster.limits.min_memory);
  memory("yarn.scheduler.maximum-allocation-mb", cluster.limits.max_memory);
  if (const auto cores = whole("yarn.scheduler.minimum-allocation-vcores", 1, 1e6)) {
    cluster.limits.min_vcores = *cores;
  }
  if (const auto cores = whole("yarn.scheduler.maximum-allocation-vcores", 1, 1e6)) {
    cluster.limits.max_vcores = *cores;
  }
  if (const auto period = whole("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", 0, 3'600'000)) {
    cluster.mode.heartbeat = ms(*period);
  }
  const auto slowstart = number_in(settings, "mapreduce.job.reduce.slowstart.completedmaps");
  if (slowstart && *slowstart >= 0 && *slowstart <= 1) cluster.mode.slowstart = *slowstart;
  if (const auto copies = whole("dfs.replication", 1, 512)) {
    cluster.hdfs.replication = static_cast<int>(*copies);
  }
  if (const auto block = whole("dfs.blocksize", 1 << 20, 1e15)) cluster.hdfs.block = Bytes{*block};
  if (cluster.mode.kind == ClusterMode::Kind::containers) apply_scheduler(settings, cluster);
}

std::string fetch_json(const WebServer& server, const std::string& path) {
  ServerAnswer answer = server.json(path);
  if (!answer.good()) server.refuse(path, answer);
  return std::move(answer.body);
}

FoundCluster find_cluster(const WebServer& resource_manager) {
  const auto ask = [&](const std::string& path) { return fetch_json(resource_manager, path); };
  const std::string& base = resource_manager.base();
  const std::string rest = "/ws/v1/cluster";
  FoundCluster found;
  found.cluster.mode.kind = ClusterMode::Kind::containers;
  // NodeManagers report at once when an application master stops a container.
  found.cluster.mode.out_of_band = true;
  found.cluster.mode.slowstart = 0.05;  // Hadoop's default, if the configuration has no value
  const std::string about = ask(rest + "/info");
  json::Document document;
  const std::optional<Value> info = member(parse(document, about, base + rest + "/info"), "clusterInfo");
  if (!info) not_a_resource_manager(base, "is no ResourceManager");
  found.version = text_at(*info, "hadoopVersion");
  const Nodes nodes = parse_nodes(ask(rest + "/nodes"), base + rest + "/nodes");
  if (nodes.running == 0) {
    throw Infeasible(base + " has no running node", "start its NodeManagers, then try again");
  }
  found.cluster.nodes = nodes.groups;
  found.nodes = nodes.running;
  if (nodes.others > 0) found.remarks.push_back(fmt::format("{} nodes do not run", nodes.others));
  Queues queues = parse_queues(ask(rest + "/scheduler"), base + rest + "/scheduler");
  found.scheduler = queues.scheduler;
  found.cluster.queues = std::move(queues.queues);
  found.remarks.insert(found.remarks.end(), queues.remarks.begin(), queues.remarks.end());
  try {
    apply_configuration(ask("/conf"), base + "/conf", found.cluster);
  } catch (const ExternalError&) {
    found.remarks.emplace_back("its configuration is not shown: limits and heartbeat are Hadoop's defaults");
  }
  return found;
}

std::string server_url(const std::string& given, int port) {
  const std::string remedy = fmt::format("write it like http://HOST:{}", port);
  const std::string url = given.find("://") == std::string::npos ? "http://" + given : given;
  const WebAddress address = parse_address(url);
  if (address.scheme != "http" && address.scheme != "https") {
    throw UsageError("'" + given + "' is no web address", remedy);
  }
  if (address.port > 0) return fmt::format("{}://{}:{}", address.scheme, address.host, address.port);
  if (address.scheme == "https") return "https://" + address.host;
  return fmt::format("http://{}:{}", address.host, port);
}

}  // namespace wavewright
