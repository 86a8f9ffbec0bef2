#include "wavewright/live/resource_manager.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

using Json = nlohmann::json;

[[noreturn]] void not_a_resource_manager(const std::string& url, const std::string& what) {
  throw OutsideError({url}, what, "name the ResourceManager's web address, like http://HOST:8088");
}

Json parse(std::string_view text, const std::string& url) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object()) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const bool page = first != std::string_view::npos && text[first] == '<';
    not_a_resource_manager(
        url, page ? "answers with a web page, not with JSON (a login page?)" : "does not answer with JSON");
  }
  return json;
}

// Hadoop writes an empty list as null, "" or {}.
const Json& list_at(const Json& json, const char* outer, const char* inner) {
  static const Json none = Json::array();
  const auto holder = json.find(outer);
  if (holder == json.end() || !holder->is_object()) return none;
  const auto list = holder->find(inner);
  return list == holder->end() || !list->is_array() ? none : *list;
}

std::string text_at(const Json& json, const char* key) {
  const auto value = json.find(key);
  return value == json.end() || !value->is_string() ? std::string() : value->get<std::string>();
}

double number_at(const Json& json, const char* key, double otherwise) {
  const auto value = json.find(key);
  if (value == json.end() || !value->is_number()) return otherwise;
  const double number = value->get<double>();
  return std::isfinite(number) ? number : otherwise;
}

Count count_at(const Json& json, const char* key) {
  constexpr double most = 1e12;
  return static_cast<Count>(std::clamp(number_at(json, key, 0), 0.0, most));
}

std::string label_of(const Json& node) {
  const auto labels = node.find("nodeLabels");
  const bool labelled = labels != node.end() && labels->is_array() && !labels->empty() &&
                        labels->front().is_string() && !labels->front().get<std::string>().empty();
  return labelled ? labels->front().get<std::string>() : "default";
}

double percent(double value) {
  return std::clamp(value, 0.0, 100.0);
}

void add_capacity_queues(const Json& parent, const std::string& path, Queues& into) {
  for (const Json& each : list_at(parent, "queues", "queue")) {
    if (!each.is_object()) continue;
    Queue queue;
    queue.name = path + text_at(each, "queueName");
    queue.capacity = percent(number_at(each, "capacity", 0));
    queue.maximum = percent(number_at(each, "maxCapacity", 100));
    if (queue.maximum == 0) queue.maximum = 100;  // Hadoop's "no limit"
    queue.minimum_user_limit = percent(number_at(each, "userLimit", 100));
    queue.user_limit_factor = std::max(number_at(each, "userLimitFactor", 1), 0.0);
    if (queue.user_limit_factor == 0) queue.user_limit_factor = 1;  // parents have none
    if (text_at(each, "state") == "STOPPED") into.remarks.push_back("queue " + queue.name + " is stopped");
    into.queues.push_back(queue);
    add_capacity_queues(each, queue.name + ".", into);
  }
}

// Of the Fair scheduler REST tells each queue's fair share; its part of the siblings' sum is its capacity.
void add_fair_queues(const Json& parent, Queues& into) {
  const Json& children = list_at(parent, "childQueues", "queue");
  const auto share = [](const Json& queue) {
    const auto resources = queue.find("steadyFairResources");
    return resources == queue.end() || !resources->is_object() ? 0.0 : number_at(*resources, "memory", 0);
  };
  double all = 0;
  for (const Json& each : children) all += share(each);
  for (const Json& each : children) {
    if (!each.is_object()) continue;
    std::string name = text_at(each, "queueName");
    if (name.starts_with("root.")) name.erase(0, 5);
    const double equal = 100.0 / static_cast<double>(children.size());
    into.queues.push_back({.name = name, .capacity = percent(all > 0 ? 100 * share(each) / all : equal)});
    add_fair_queues(each, into);
  }
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

}  // namespace

Nodes parse_nodes(std::string_view json, const std::string& url) {
  const Json document = parse(json, url);
  if (!document.contains("nodes")) not_a_resource_manager(url, "tells no nodes");
  std::map<std::tuple<std::string, std::string, Count, Count>, Count> equal;
  Nodes nodes;
  for (const Json& node : list_at(document, "nodes", "node")) {
    if (!node.is_object()) continue;
    if (text_at(node, "state") != "RUNNING") {
      ++nodes.others;
      continue;
    }
    const Count memory = count_at(node, "usedMemoryMB") + count_at(node, "availMemoryMB");
    const Count vcores = count_at(node, "usedVirtualCores") + count_at(node, "availableVirtualCores");
    if (memory == 0 || vcores == 0) {  // offers nothing
      ++nodes.others;
      continue;
    }
    ++nodes.running;
    ++equal[{label_of(node), text_at(node, "rack"), memory, vcores}];
  }
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

Queues parse_queues(std::string_view json, const std::string& url) {
  const Json document = parse(json, url);
  const auto scheduler = document.find("scheduler");
  const bool told = scheduler != document.end() && scheduler->is_object() &&
                    scheduler->contains("schedulerInfo") && (*scheduler)["schedulerInfo"].is_object();
  if (!told) not_a_resource_manager(url, "tells no scheduler");
  const Json& info = (*scheduler)["schedulerInfo"];
  Queues queues;
  queues.scheduler = text_at(info, "type");
  if (queues.scheduler == "capacityScheduler") {
    add_capacity_queues(info, "", queues);
  } else if (queues.scheduler == "fairScheduler" && info.contains("rootQueue")) {
    add_fair_queues(info["rootQueue"], queues);
    queues.remarks.emplace_back("the Fair scheduler's queues are written with their fair shares as capacity");
  } else if (queues.scheduler != "fifoScheduler") {
    queues.remarks.push_back("the queues of scheduler '" + queues.scheduler + "' cannot be read");
  }
  return queues;
}

void apply_configuration(std::string_view json, const std::string& url, Cluster& cluster) {
  const Json document = parse(json, url);
  std::map<std::string, std::string> settings;
  const auto properties = document.find("properties");
  if (properties == document.end() || !properties->is_array()) return;
  for (const Json& property : *properties) {
    if (property.is_object()) settings[text_at(property, "key")] = text_at(property, "value");
  }
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
  found.cluster.mode.slowstart = 0.05;  // Hadoop's own default, where the configuration tells nothing
  const Json info = parse(ask(rest + "/info"), base + rest + "/info");
  if (!info.contains("clusterInfo")) not_a_resource_manager(base, "is no ResourceManager");
  found.version = text_at(info["clusterInfo"], "hadoopVersion");
  const Nodes nodes = parse_nodes(ask(rest + "/nodes"), base + rest + "/nodes");
  if (nodes.running == 0) {
    throw NoAnswer(base + " has no running node", "start its NodeManagers, then try again");
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
  } catch (const OutsideError&) {
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
