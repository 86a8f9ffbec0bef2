#include "wavewright/live/yarn/lost_nodes.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

using Json = nlohmann::json;

// [Hadoop: NodeState]. A node that is about to be decommissioned still runs its containers.
bool runs(const std::string& state) {
  return state == "RUNNING" || state == "DECOMMISSIONING";
}

bool is_given_up(const std::string& state) {
  static constexpr std::array<std::string_view, 5> states = {"LOST", "UNHEALTHY", "DECOMMISSIONED",
                                                             "SHUTDOWN", "REBOOTED"};
  return std::find(states.begin(), states.end(), state) != states.end();
}

}  // namespace

std::vector<ListedNode> parse_listed_nodes(std::string_view text, const std::string& url) try {
  const Json document = Json::parse(text);
  std::vector<ListedNode> nodes;
  const Json& list = document.at("nodes");
  if (list.is_null() || !list.contains("node")) return nodes;  // an empty cluster
  for (const Json& each : list.at("node")) {
    std::string web = each.value("nodeHTTPAddress", "");
    std::string host = each.value("nodeHostName", web);
    if (!host.empty()) nodes.push_back({std::move(host), each.value("state", ""), std::move(web)});
  }
  return nodes;
} catch (const Json::exception&) {
  throw ExternalError({url}, "tells no nodes", "check that it is a ResourceManager");
}

LostNodes::News LostNodes::look(const std::vector<ListedNode>& listed) {
  std::map<std::string, std::string> states;  // by host; of a node that runs, if one does
  for (const ListedNode& node : listed) {
    std::string& state = states[node.host];
    if (!runs(state)) state = node.state;
  }
  News news;
  for (const auto& [host, state] : states) {
    if (runs(state)) {
      ran_.insert(host);
      if (lost_.erase(host) > 0) news.back.push_back(host);
    } else if (is_given_up(state) && ran_.erase(host) > 0) {
      lost_.insert(host);
      news.lost.push_back({host, state});
    }
  }
  return news;
}

}  // namespace wavewright
