#include "wavewright/live/yarn/resource_manager.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/history/json.h"
#include "wavewright/live/yarn/active_server.h"
#include "wavewright/live/yarn/node_labels.h"
#include "wavewright/live/yarn/rest_answer.h"

namespace wavewright {

namespace {

using json::for_each;
using json::member;
using json::Value;

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

// A node's whole: used and free. YARN tells less than 0 as free where it counts no cores and gives out more.
Count sum_at(Value object, std::string_view used, std::string_view free) {
  constexpr std::int64_t most = 1'000'000'000'000;
  const auto at = [&](std::string_view key) {
    return std::clamp<std::int64_t>(json::integer(object, key).value_or(0), -most, most);
  };
  return std::clamp<std::int64_t>(at(used) + at(free), 0, most);
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
  return label;
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

// `autoCreateChildQueueEnabled` since Hadoop 3.1; `autoCreationEligibility` (off, legacy, flexible) later.
bool makes_queues(Value parent) {
  bool enabled = false;
  const std::optional<Value> told = member(parent, "autoCreateChildQueueEnabled");
  if (told && told->get(enabled) != simdjson::SUCCESS)
    enabled = text_at(parent, "autoCreateChildQueueEnabled") == "true";
  const std::string eligibility = text_at(parent, "autoCreationEligibility");
  return enabled || (!eligibility.empty() && eligibility != "off");
}

// Queues with weights have a capacity of 0, and their part of the siblings' weights.
double capacity_of(Value queue) {
  const double told = number_at(queue, "capacity", 0);
  return percent(told > 0 ? told : 100 * number_at(queue, "normalizedWeight", 0));
}

// Below 0: no limit. Parents have none.
double user_limit_factor(Value queue) {
  constexpr double no_limit = 1e6;
  const double told = number_at(queue, "userLimitFactor", 1);
  return told < 0 ? no_limit : told == 0 ? 1 : std::min(told, no_limit);
}

// `open`: the queues above take jobs.
void add_capacity_queues(Value parent, const std::string& path, bool open, Queues& into) {
  each_in(parent, "queues", "queue", [&](Value each) {
    Queue queue;
    queue.name = path + text_at(each, "queueName");
    queue.capacity = capacity_of(each);
    queue.maximum = percent(number_at(each, "maxCapacity", 100));
    if (queue.maximum == 0) queue.maximum = 100;  // Hadoop's "no limit"
    queue.minimum_user_limit = percent(number_at(each, "userLimit", 100));
    queue.user_limit_factor = user_limit_factor(each);
    queue.maximum_masters = masters_limit(each);
    const std::string state = text_at(each, "state");
    if (state == "STOPPED") into.remarks.push_back("queue " + queue.name + " is stopped");
    const bool takes_jobs = open && state != "STOPPED" && state != "DRAINING";
    if (!takes_jobs) into.closed.push_back(queue.name);
    // Hadoop 3.3 and 3.4 give the class, older ones what TargetsSource.java says of itself.
    const std::string ordering(text_at(each, "orderingPolicyInfo"));
    if (ordering.starts_with("wavewright.yarn.") || ordering.starts_with("Wavewright"))
      into.with_plugin.push_back(queue.name);
    into.queues.push_back(queue);
    into.makes_more = into.makes_more || makes_queues(each);
    add_capacity_queues(each, queue.name + ".", takes_jobs, into);
  });
}

double fair_share(Value queue) {
  const std::optional<Value> resources = member(queue, "steadyFairResources");
  return resources ? number_at(*resources, "memory", 0) : 0;
}

// REST gives each queue's fair share; its part of the siblings' sum, in percent, becomes the weight.
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
    constexpr double least = 0.001;
    into.queues.push_back({.name = name, .weight = std::max(least, percent(100 * share))});
    add_fair_queues(each, into);
  });
}

}  // namespace

Nodes parse_nodes(std::string_view text, const std::string& url) {
  json::Document document;
  const Value answer = parse_answer(document, text, url);
  if (!member(answer, "nodes")) not_a_resource_manager(url, "tells no nodes");
  std::map<std::tuple<std::string, std::string, Count, Count>, std::vector<std::string>> equal;
  std::set<std::string> hosts;
  Nodes nodes;
  each_in(answer, "nodes", "node", [&](Value node) {
    const Count memory = sum_at(node, "usedMemoryMB", "availMemoryMB");
    const Count vcores = sum_at(node, "usedVirtualCores", "availableVirtualCores");
    if (text_at(node, "state") != "RUNNING" || memory == 0 || vcores == 0) {  // offers nothing
      ++nodes.others;
      return;
    }
    ++nodes.running;
    const std::string host = text_at(node, "nodeHostName");
    equal[{label_of(node), text_at(node, "rack"), memory, vcores}].push_back(host);
    if (!host.empty()) hosts.insert(host);
  });
  // Of several nodes on one host it cannot be told which holds a block.
  const bool named = static_cast<Count>(hosts.size()) == nodes.running;
  for (auto& [kind, of_kind] : equal) {
    const auto& [label, rack, memory, vcores] = kind;
    NodeGroup group;
    group.count = static_cast<Count>(of_kind.size());
    if (named) {
      std::sort(of_kind.begin(), of_kind.end());
      group.hosts = std::move(of_kind);
    }
    if (!label.empty()) {
      group.node_class = class_of_label(label);
      nodes.labels.insert(label);
    }
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
  const std::optional<Value> scheduler = member(parse_answer(document, text, url), "scheduler");
  const std::optional<Value> info = scheduler ? member(*scheduler, "schedulerInfo") : std::nullopt;
  if (!info || !info->is_object()) not_a_resource_manager(url, "tells no scheduler");
  Queues queues;
  queues.scheduler = text_at(*info, "type");
  const std::optional<Value> root = member(*info, "rootQueue");
  if (queues.scheduler == "capacityScheduler") {
    queues.makes_more = makes_queues(*info);
    add_capacity_queues(*info, "", true, queues);
  } else if (queues.scheduler == "fairScheduler" && root) {
    add_fair_queues(*root, queues);
    queues.remarks.emplace_back("the Fair scheduler's queues are written with their fair shares as weights");
  } else if (queues.scheduler != "fifoScheduler") {
    queues.remarks.push_back("the queues of scheduler '" + queues.scheduler + "' cannot be read");
  }
  return queues;
}

ToldKeys told_of_queues(const std::string& scheduler) {
  if (scheduler == "fairScheduler") return {"queues.name", "queues.weight"};
  return {"queues.name",
          "queues.capacity",
          "queues.maximum",
          "queues.minimum_user_limit",
          "queues.user_limit_factor",
          "queues.maximum_masters"};
}

std::string fetch_json(const WebServer& server, const std::string& path) {
  ServerAnswer answer = server.json(path);
  if (!answer.good()) server.refuse(path, answer);
  return std::move(answer.body);
}

FoundCluster find_cluster(const WebServer& resource_manager) {
  const auto ask = [&](const std::string& path) { return fetch_json(resource_manager, path); };
  ActiveServer active(resource_manager);
  active.find();
  const std::string& base = resource_manager.base();
  const std::string rest = "/ws/v1/cluster";
  FoundCluster found;
  found.cluster.mode.kind = ClusterMode::Kind::containers;
  // NodeManagers report at once when an application master stops a container.
  found.cluster.mode.out_of_band = true;
  found.cluster.mode.slowstart = 0.05;  // Hadoop's default, if the configuration has no value
  found.version = active.version();
  const Nodes nodes = parse_nodes(ask(rest + "/nodes"), base + rest + "/nodes");
  if (nodes.running == 0) {
    throw Infeasible(base + " has no running node", "start its NodeManagers, then try again");
  }
  found.cluster.nodes = nodes.groups;
  add_labels(nodes.labels, resource_manager, found);
  for (const char* key : {"count", "class", "rack", "hosts", "memory_mb", "vcores"})
    found.told.insert(std::string("nodes.") + key);
  found.told.insert("mode.kind");
  found.nodes = nodes.running;
  if (nodes.others > 0) found.remarks.push_back(fmt::format("{} nodes do not run", nodes.others));
  Queues queues = parse_queues(ask(rest + "/scheduler"), base + rest + "/scheduler");
  found.scheduler = queues.scheduler;
  found.told.merge(told_of_queues(queues.scheduler));
  found.cluster.queues = std::move(queues.queues);
  found.with_plugin = std::move(queues.with_plugin);
  found.remarks.insert(found.remarks.end(), queues.remarks.begin(), queues.remarks.end());
  try {
    const std::string conf = ask("/conf"), url = base + "/conf";
    found.told.merge(apply_configuration(conf, url, found.cluster));
    found.placement_allocator = parse_setting(conf, "yarn.scheduler.app-placement-allocator.class", url);
  } catch (const ExternalError&) {
    found.remarks.emplace_back("its configuration is not shown: limits and heartbeat are Hadoop's defaults");
  }
  return found;
}

std::string own_scheduler(const Cluster& cluster) {
  const bool capacities = std::any_of(cluster.queues.begin(), cluster.queues.end(),
                                      [](const Queue& queue) { return queue.capacity > 0; });
  return capacities || cluster.queues.empty() ? "capacity" : "fair";
}

std::string own_scheduler(const FoundCluster& found) {
  if (found.scheduler == "fairScheduler") return "fair";
  return found.scheduler == "fifoScheduler" ? "fifo" : own_scheduler(found.cluster);
}

std::vector<std::string> server_urls(const std::string& given, int port) {
  std::vector<std::string> urls;
  std::istringstream each(given + ",");
  for (std::string one; std::getline(each, one, ',');) {
    one.erase(0, std::min(one.find_first_not_of(' '), one.size()));
    one.erase(one.find_last_not_of(' ') + 1);
    std::string url = server_url(one, port);
    if (std::find(urls.begin(), urls.end(), url) != urls.end())
      throw UsageError(url + " is named twice", "name each ResourceManager once");
    urls.push_back(std::move(url));
  }
  return urls;
}

std::string server_url(const std::string& given, int port) {
  const std::string remedy = fmt::format("write it like http://HOST:{}", port);
  const std::string url = given.find("://") == std::string::npos ? "http://" + given : given;
  const WebAddress address = parse_address(url);
  if (address.scheme != "http" && address.scheme != "https") {
    throw UsageError("'" + given + "' is no web address", remedy);
  }
  return web_base(address, port);
}

}  // namespace wavewright
