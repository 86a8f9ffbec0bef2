#include "wavewright/live/yarn/label_access.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "wavewright/cluster/queue_path.h"
#include "wavewright/core/error.h"
#include "wavewright/history/json.h"
#include "wavewright/live/yarn/node_labels.h"
#include "wavewright/live/yarn/resource_manager.h"

namespace wavewright {

namespace {

using json::for_each;
using json::member;
using json::Value;

const std::string rest = "/ws/v1/cluster";

void add_queues(Value parent, const std::string& path, std::vector<QueueLabels>& into) {
  const std::optional<Value> below = member(parent, "queues");
  if (!below) return;
  for_each(*below, "queue", [&](Value each) {
    QueueLabels queue;
    queue.name = path + std::string(json::text(each, "queueName"));
    for_each(each, "nodeLabels", [&](Value label) {
      if (std::string_view name; label.get(name) == simdjson::SUCCESS) queue.accessible.emplace(name);
    });
    queue.of_others = json::text(each, "defaultNodeLabelExpression");
    if (const std::optional<Value> capacities = member(each, "capacities")) {
      for_each(*capacities, "queueCapacitiesByPartition", [&](Value partition) {
        double percent = 0;
        const std::optional<Value> told = member(partition, "absoluteCapacity");
        if (told && told->get(percent) == simdjson::SUCCESS)
          queue.capacity[std::string(json::text(partition, "partitionName"))] = percent;
      });
    }
    into.push_back(queue);
    add_queues(each, queue.name + ".", into);
  });
}

std::map<std::string, bool> known_labels(const WebServer& resource_manager) {
  const std::string path = rest + "/get-node-labels";
  const std::string text = fetch_json(resource_manager, path);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return {};
  return parse_labels(text, resource_manager.base() + path);
}

std::string planned(const LabelUse& use) {
  return use.label.empty() ? fmt::format("job '{}' is planned on nodes without a label", use.job)
                           : fmt::format("job '{}' is planned on nodes with label '{}'", use.job, use.label);
}

void require_label(const LabelUse& use, const std::map<std::string, bool>& known, const std::string& url) {
  if (use.label.empty() || known.contains(use.label)) return;
  const std::string add = fmt::format(
      "yarn rmadmin -addToClusterNodeLabels {0}, then yarn rmadmin -replaceLabelsOnNode HOST={0}", use.label);
  if (known.empty())
    throw LabelRefused({url}, "knows no node labels, and " + planned(use),
                       "set yarn.node-labels.enabled to true, then " + add);
  throw LabelRefused({url}, "has no such node label, and " + planned(use), add);
}

void require_nodes(const LabelUse& use, const Nodes& nodes, const std::string& url) {
  const bool there =
      use.label.empty()
          ? std::any_of(nodes.groups.begin(), nodes.groups.end(),
                        [](const NodeGroup& group) { return group.node_class == NodeGroup{}.node_class; })
          : nodes.labels.contains(use.label);
  if (there) return;
  throw LabelRefused({url}, "has no such running node, and " + planned(use),
                     use.label.empty() ? "give the class a label in the cluster file, and its nodes in YARN"
                                       : fmt::format("yarn rmadmin -replaceLabelsOnNode HOST={}", use.label));
}

void require_access(const LabelUse& use, const std::vector<QueueLabels>& queues, const std::string& url) {
  const QueueLabels* const queue = find_queue(queues, use.queue.empty() ? "default" : use.queue);
  if (queue == nullptr) return;
  const std::string settings = "yarn.scheduler.capacity.root." + queue->name;
  if (use.label.empty()) {
    if (queue->of_others.empty()) return;
    throw LabelRefused(
        {url},
        fmt::format("sends jobs without a label of queue '{}' to nodes of '{}', and {}", queue->name,
                    queue->of_others, planned(use)),
        fmt::format("take {}.default-node-label-expression out, or name another queue", settings));
  }
  const std::string labels = settings + ".accessible-node-labels";
  if (!queue->accessible.contains(use.label) && !queue->accessible.contains("*"))
    throw LabelRefused({url},
                       fmt::format("keeps queue '{}' off that label, and {}", queue->name, planned(use)),
                       fmt::format("add {} to {}, then yarn rmadmin -refreshQueues; or name another queue",
                                   use.label, labels));
  const auto capacity = queue->capacity.find(use.label);
  if (queue->capacity.empty() || (capacity != queue->capacity.end() && capacity->second > 0)) return;
  throw LabelRefused(
      {url}, fmt::format("gives queue '{}' no capacity there, and {}", queue->name, planned(use)),
      fmt::format("set {}.{}.capacity and that of the queues above it (root: 100), then yarn rmadmin "
                  "-refreshQueues; or name another queue",
                  labels, use.label));
}

}  // namespace

std::vector<QueueLabels> parse_queue_labels(std::string_view text, const std::string& url) {
  const std::string remedy = "name the ResourceManager's web address, like http://HOST:8088";
  json::Document document;
  std::optional<Value> scheduler, info;
  try {
    scheduler = member(document.parse(text, url), "scheduler");
  } catch (const InputError& error) {
    throw ExternalError({url}, "does not answer with JSON: " + error.problem(), remedy);
  }
  if (scheduler) info = member(*scheduler, "schedulerInfo");
  if (!info) throw ExternalError({url}, "tells no scheduler", remedy);
  if (const std::string_view type = json::text(*info, "type"); type != "capacityScheduler")
    throw ExternalError({url}, fmt::format("its scheduler '{}' has no node labels", type),
                        "let it have the Capacity scheduler, or run the batch without the plan");
  std::vector<QueueLabels> queues;
  add_queues(*info, "", queues);
  return queues;
}

std::vector<std::string> check_label_access(const std::vector<LabelUse>& uses,
                                            const WebServer& resource_manager, bool nodes_come) {
  if (std::all_of(uses.begin(), uses.end(), [](const LabelUse& use) { return use.label.empty(); })) return {};
  const std::map<std::string, bool> known = known_labels(resource_manager);
  const std::string& url = resource_manager.base();
  for (const LabelUse& use : uses) require_label(use, known, url);
  if (!nodes_come) {
    const Nodes nodes = parse_nodes(fetch_json(resource_manager, rest + "/nodes"), url + rest + "/nodes");
    for (const LabelUse& use : uses) require_nodes(use, nodes, url);
  }
  const std::string path = rest + "/scheduler";
  const std::vector<QueueLabels> queues = parse_queue_labels(fetch_json(resource_manager, path), url + path);
  for (const LabelUse& use : uses) require_access(use, queues, url);
  std::set<std::string> shared;
  for (const LabelUse& use : uses) {
    if (!use.label.empty() && known.at(use.label)) shared.insert(use.label);
  }
  std::vector<std::string> remarks;
  remarks.reserve(shared.size());
  for (const std::string& label : shared)
    remarks.push_back("label " + label + " is not exclusive: its idle nodes take tasks without a label, too");
  return remarks;
}

}  // namespace wavewright
