#include "wavewright/live/yarn/node_labels.h"

#include "wavewright/core/error.h"
#include "wavewright/core/toml_text.h"
#include "wavewright/history/json.h"

namespace wavewright {

std::map<std::string, bool> parse_labels(std::string_view text, const std::string& url) {
  json::Document document;
  json::Value answer;
  try {
    answer = document.parse(text, url);
  } catch (const InputError& error) {
    throw ExternalError({url}, "does not answer with JSON: " + error.problem());
  }
  const std::optional<json::Value> wrapped = json::member(answer, "nodeLabelsInfo");
  std::map<std::string, bool> shared;
  json::for_each(wrapped.value_or(answer), "nodeLabelInfo", [&](json::Value label) {
    bool exclusive = true;  // a truth value in some versions, a text in others
    const std::optional<json::Value> told = json::member(label, "exclusivity");
    if (told && told->get(exclusive) != simdjson::SUCCESS)
      exclusive = json::text(label, "exclusivity") != "false";
    const std::string name(json::text(label, "name"));
    if (!name.empty()) shared[name] = !exclusive;
  });
  return shared;
}

std::string class_of_label(const std::string& label) {
  return label == NodeGroup{}.node_class ? label + "+label" : label;
}

void add_labels(const std::set<std::string>& of_nodes, const WebServer& resource_manager,
                FoundCluster& found) {
  const std::string path = "/ws/v1/cluster/get-node-labels";
  for (const std::string& label : of_nodes) {
    const std::string name = class_of_label(label);
    found.cluster.classes[name].label = label;
    found.told.insert("classes." + toml_text(name) + ".label");
  }
  std::map<std::string, bool> known;
  try {
    known = parse_labels(fetch_json(resource_manager, path), resource_manager.base() + path);
  } catch (const ExternalError&) {
    return;
  }
  for (const auto& [label, shared] : known) {
    if (!of_nodes.contains(label)) {
      found.remarks.push_back("no running node has the label " + label);
    } else if (shared) {
      found.remarks.push_back("label " + label +
                              " is not exclusive: its idle nodes take tasks without a label, too");
    }
  }
}

}  // namespace wavewright
