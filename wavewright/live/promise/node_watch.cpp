#include "wavewright/live/promise/node_watch.h"

#include <algorithm>
#include <utility>

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
    if (runs || each.state == "LOST" || each.state == "UNHEALTHY")
      nodes.push_back({std::move(each.host), std::move(each.web), runs});
  }
  return nodes;
}

NodeWatch::News NodeWatch::look(const std::vector<WatchedNode>& listed) {
  std::vector<std::string> addresses;
  std::vector<const WatchedNode*> running;
  for (const WatchedNode& node : listed) {
    if (!node.runs) continue;
    running.push_back(&node);
    addresses.push_back(node.web);
  }
  const std::vector<bool> answered = probe_(addresses);
  looks_ = std::min(looks_ + 1, silent_after);
  known_ = std::max(known_, static_cast<NodeIndex>(listed.size()));
  present_ = 0;
  News news;
  listed_.clear();
  for (std::size_t i = 0; i < running.size(); ++i) {
    const std::string& host = running[i]->host;
    listed_.insert(host);
    int& failures = failures_[host];
    failures = answered[i] ? 0 : failures + 1;
    if (failures == 0 && silent_.erase(host) > 0) news.back.push_back(host);
    if (failures >= silent_after && silent_.insert(host).second) news.silent.push_back(host);
    present_ += silent_.contains(host) ? 0 : 1;
  }
  std::erase_if(silent_, [&](const std::string& host) { return !listed_.contains(host); });
  return news;
}

std::set<std::string> NodeWatch::gone() const {
  std::set<std::string> gone;
  for (const auto& [host, failures] : failures_) {
    if (!listed_.contains(host)) gone.insert(host);
  }
  const auto is_listed = [&](const std::string& host) { return listed_.contains(host); };
  if (std::any_of(expected_.begin(), expected_.end(), is_listed)) {
    for (const std::string& host : expected_) {
      if (!is_listed(host)) gone.insert(host);
    }
  }
  return gone;
}

bool NodeWatch::knows_hosts() const {
  return std::any_of(expected_.begin(), expected_.end(),
                     [&](const std::string& host) { return failures_.contains(host); });
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

}  // namespace wavewright
