#include "wavewright/live/promise/node_watch.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "wavewright/live/yarn/lost_nodes.h"

namespace wavewright {

namespace {

// The tasks that have run longest are lost: the last that were listed stay.
void lose(StageProgress& stage, Count running, Count outputs) {
  std::stable_sort(stage.tasks.begin(), stage.tasks.end(), [](const SeenTask& a, const SeenTask& b) {
    return !a.done && (b.done || a.length > b.length);
  });
  running = std::min(running, stage.running);
  const auto known =
      std::count_if(stage.tasks.begin(), stage.tasks.end(), [](const SeenTask& task) { return !task.done; });
  stage.tasks.erase(stage.tasks.begin(), stage.tasks.begin() + std::min<std::ptrdiff_t>(running, known));
  stage.running -= running;
  stage.done -= std::min(outputs, stage.done);
}

}  // namespace

std::vector<WatchedNode> parse_watched_nodes(std::string_view text, const std::string& url) {
  std::vector<WatchedNode> nodes;
  for (ListedNode& each : parse_listed_nodes(text, url)) {
    const bool runs = each.state == "RUNNING" && !each.web.empty();
    const bool drains = each.state == "DECOMMISSIONING" && !each.web.empty();
    if (runs || drains || each.state == "LOST" || each.state == "UNHEALTHY")
      nodes.push_back({std::move(each.host), std::move(each.web), runs, drains});
  }
  return nodes;
}

NodeWatch::News NodeWatch::look(const std::vector<WatchedNode>& listed) {
  std::vector<std::string> addresses;
  std::map<std::string, int> nodes_on;  // by host
  std::set<std::string> were_silent;
  for (auto& [web, node] : nodes_) {
    if (node.is_silent()) were_silent.insert(web);
    node.listed = false;
  }
  for (const WatchedNode& node : listed) {
    if (!node.runs && !node.drains) continue;
    addresses.push_back(node.web);
    Node& its = nodes_[node.web];
    its.host = node.host;
    its.listed = node.runs;
    if (node.runs) ++nodes_on[node.host];
  }
  const std::vector<bool> answered = probe_(addresses);
  std::set<std::string> there;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    if (answered[i]) there.insert(addresses[i]);
  }
  looks_ = std::min(looks_ + 1, silent_after);
  known_ = std::max(known_, static_cast<NodeIndex>(listed.size()));
  present_ = 0;
  News news;
  for (auto& [web, node] : nodes_) {
    node.failures = there.contains(web) ? 0 : std::min(node.failures + 1, lost_after);
    if (!node.listed) continue;
    const std::string name = nodes_on[node.host] > 1 ? fmt::format("{} ({})", node.host, web) : node.host;
    if (were_silent.contains(web) && !node.is_silent()) news.back.push_back(name);
    if (!were_silent.contains(web) && node.is_silent()) news.silent.push_back(name);
    present_ += node.is_silent() ? 0 : 1;
  }
  return news;
}

std::set<std::string> NodeWatch::hosts(bool (*which)(const Node&)) const {
  std::set<std::string> found;
  for (const auto& [web, node] : nodes_) {
    if (which(node)) found.insert(node.host);
  }
  return found;
}

std::set<std::string> NodeWatch::silent() const {
  return hosts([](const Node& node) { return node.is_silent(); });
}

NodeIndex NodeWatch::silent_nodes() const {
  return static_cast<NodeIndex>(
      std::count_if(nodes_.begin(), nodes_.end(), [](const auto& each) { return each.second.is_silent(); }));
}

MasterNode NodeWatch::state_of(const std::string& web) const {
  const auto found = nodes_.find(web);
  if (found == nodes_.end() || found->second.failures < silent_after) return MasterNode::answers;
  return found->second.failures < lost_after ? MasterNode::silent : MasterNode::lost;
}

std::set<std::string> NodeWatch::gone() const {
  const std::set<std::string> listed = hosts([](const Node& node) { return node.listed; });
  std::set<std::string> known = hosts([](const Node&) { return true; });
  const auto is_listed = [&](const std::string& host) { return listed.contains(host); };
  if (std::any_of(expected_.begin(), expected_.end(), is_listed))
    known.insert(expected_.begin(), expected_.end());
  std::erase_if(known, is_listed);
  return known;
}

bool NodeWatch::knows_hosts() const {
  return std::any_of(nodes_.begin(), nodes_.end(),
                     [&](const auto& each) { return expected_.contains(each.second.host); });
}

NodeIndex NodeWatch::missing(NodeIndex nodes) const {
  const NodeIndex all = std::min(nodes, known_);
  return all > present_ ? all - present_ : 0;
}

SlotPool slots_of_any(const Cluster& cluster, NodeIndex nodes) {
  const auto most_of = [&](Count SlotPool::* kind) {
    std::vector<std::pair<Count, Count>> groups;  // slots of a node, and how many nodes
    groups.reserve(cluster.nodes.size());
    for (const NodeGroup& group : cluster.nodes)
      groups.emplace_back(group.slots.*kind, static_cast<Count>(group.count));
    std::sort(groups.rbegin(), groups.rend());
    Count left = nodes, sum = 0;
    for (const auto& [slots, count] : groups) {
      const Count taken = std::min(left, count);
      sum += taken * slots;
      left -= taken;
    }
    return sum;
  };
  return {most_of(&SlotPool::map_slots), most_of(&SlotPool::reduce_slots)};
}

SlotPool slots_of(const Cluster& cluster, const std::set<std::string>& hosts) {
  SlotPool most;
  std::map<std::string, SlotPool> named;
  for (const NodeGroup& group : cluster.nodes) {
    most.map_slots = std::max(most.map_slots, group.slots.map_slots);
    most.reduce_slots = std::max(most.reduce_slots, group.slots.reduce_slots);
    for (const std::string& host : group.hosts) named[host] = group.slots;
  }
  SlotPool sum;
  for (const std::string& host : hosts) {
    const auto found = named.find(host);
    const SlotPool& its = found == named.end() ? most : found->second;
    sum.map_slots += its.map_slots;
    sum.reduce_slots += its.reduce_slots;
  }
  const SlotPool all = cluster.total_slots();
  return {std::min(sum.map_slots, all.map_slots), std::min(sum.reduce_slots, all.reduce_slots)};
}

ProgressByJob without_silent(ProgressByJob progress, SlotPool silent, SlotPool all) {
  if (silent == SlotPool{}) return progress;
  for (auto& [id, job] : progress) {
    const bool needs_outputs = job.reduces.done < job.reduces.total;
    const Count outputs = needs_outputs && all.map_slots > 0
                              ? (job.maps.done * silent.map_slots + all.map_slots - 1) / all.map_slots
                              : 0;
    lose(job.maps, silent.map_slots, outputs);
    lose(job.reduces, silent.reduce_slots, 0);
    if (job.maps.done < job.maps.total) job.maps_done.reset();
  }
  return progress;
}

ProgressByJob with_masters(ProgressByJob progress, const LiveBatch& batch, const NodeWatch& nodes, Time now) {
  for (const LiveJob& job : batch.jobs) {
    if (job.state != LiveState::running || job.master_node.empty()) continue;
    const MasterNode state = nodes.state_of(job.master_node);
    if (state == MasterNode::answers) continue;
    auto its = progress.find(job.id);
    if (its == progress.end()) {
      if (!job.bounds) continue;
      its = progress.try_emplace(job.id).first;
      its->second.at = now;
      its->second.maps.total = job.bounds->maps;
      its->second.reduces.total = job.bounds->reduces;
    }
    its->second.master_node = state;
  }
  return progress;
}

}  // namespace wavewright
