#include "wavewright/energy/ranking.h"

#include <algorithm>
#include <tuple>

namespace wavewright {

Ranking::Ranking(const View& view, JobIndex job, const std::vector<bool>& relevant)
    : relevant_(relevant), data_of_class_(relevant.size()) {
  std::vector<double> efficiency;
  for (ClassId c = 0; c < relevant_.size(); ++c) {
    efficiency.push_back(view.efficiency(job, c));
    if (relevant_[c]) classes_.push_back(c);
  }
  std::stable_sort(classes_.begin(), classes_.end(),
                   [&](ClassId a, ClassId b) { return efficiency[a] > efficiency[b]; });
  const Count maps = view.facts(job).maps;
  std::unordered_map<NodeIndex, Count> blocks;
  for (TaskIndex map = 0; map < static_cast<TaskIndex>(maps); ++map) {
    for (const NodeIndex node : view.block_nodes(job, map)) ++blocks[node];
  }
  for (const auto& [node, count] : blocks) {
    const ClassId c = view.node_class(node);
    const double overlap = static_cast<double>(count) / static_cast<double>(maps);
    if (!relevant_[c]) continue;
    data_.push_back({node, c, efficiency[c] * overlap});
    data_of_class_[c].push_back(node);
  }
  std::sort(data_.begin(), data_.end(), [&](const DataNode& a, const DataNode& b) {
    return std::tuple(-a.fitness, -efficiency[a.node_class], a.node_class, a.node) <
           std::tuple(-b.fitness, -efficiency[b.node_class], b.node_class, b.node);
  });
  for (std::size_t i = 0; i < data_.size(); ++i) rank_of_.emplace(data_[i].node, i);
  for (std::vector<NodeIndex>& nodes : data_of_class_) std::sort(nodes.begin(), nodes.end());
}

Count Ranking::whole(const FreeContainers& containers) const {
  Count sum = 0;
  for (const ClassId c : classes_) sum += containers.of(c).whole;
  return sum;
}

Count Ranking::free(const FreeContainers& containers) const {
  Count sum = 0;
  for (const ClassId c : classes_) sum += containers.of(c).free;
  return sum;
}

Count Ranking::free_in_optset(const FreeContainers& containers, Count asked) const {
  Count sum = 0;
  for (const DataNode& each : data_) {
    if (asked == 0) return sum;
    const Count in = std::min(containers.whole(each.node), asked);
    sum += std::min(containers.free(each.node), in);
    asked -= in;
  }
  for (auto c = classes_.begin(); c != classes_.end() && asked > 0; ++c)
    sum += free_in_class(containers, *c, asked);
  return sum;
}

// Of the class's nodes without blocks. Takes from `asked` what they have in the optset.
Count Ranking::free_in_class(const FreeContainers& containers, ClassId node_class, Count& asked) const {
  const FreeContainers::Class& of = containers.of(node_class);
  const std::vector<NodeIndex>& data = data_of_class_[node_class];
  // Containers, and free ones, of nodes without blocks among the first `position` members.
  const auto before = [&](std::size_t position, bool free) {
    Count sum = free ? containers.free_before(node_class, position) : containers.whole_before(node_class, position);
    for (const NodeIndex node : data) {
      if (containers.position(node) >= position) break;
      sum -= free ? containers.free(node) : containers.whole(node);
    }
    return sum;
  };
  const Count all = before(of.members.size(), false);
  if (all <= asked) {
    asked -= all;
    return before(of.members.size(), true);
  }
  std::size_t least = 0, most = of.members.size();  // before(least) <= asked < before(most)
  while (most - least > 1) {
    const std::size_t middle = least + (most - least) / 2;
    (before(middle, false) <= asked ? least : most) = middle;
  }
  const Count partly = asked - before(least, false);
  asked = 0;
  return before(least, true) + std::min(containers.free(of.members[least]), partly);
}

std::vector<Grant> Ranking::best_free(const FreeContainers& containers, Count count) const {
  std::vector<Grant> grants;
  const auto take = [&](NodeIndex node) {
    const Count containers_there = std::min(containers.free(node), count);
    if (containers_there == 0) return;
    grants.push_back({node, containers_there});
    count -= containers_there;
  };
  std::size_t open = 0;
  for (const ClassId c : classes_) open += containers.of(c).open.size();
  if (open < data_.size()) {  // fewer nodes are free than have blocks
    std::vector<std::size_t> ranks;
    for (const ClassId c : classes_) {
      for (const NodeIndex node : containers.of(c).open) {
        if (const auto rank = rank_of_.find(node); rank != rank_of_.end()) ranks.push_back(rank->second);
      }
    }
    std::sort(ranks.begin(), ranks.end());
    for (const std::size_t rank : ranks) take(data_[rank].node);
  } else {
    for (auto each = data_.begin(); each != data_.end() && count > 0; ++each) take(each->node);
  }
  for (const ClassId c : classes_) {
    const std::set<NodeIndex>& nodes = containers.of(c).open;
    for (auto node = nodes.begin(); node != nodes.end() && count > 0; ++node) {
      if (!has_data(*node)) take(*node);
    }
  }
  return grants;
}

}  // namespace wavewright
