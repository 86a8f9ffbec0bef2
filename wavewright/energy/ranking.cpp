#include "wavewright/energy/ranking.h"

#include <algorithm>
#include <tuple>

namespace wavewright {

Ranking::Ranking(const View& view, JobIndex job, const std::vector<bool>& relevant)
    : relevant_(relevant), of_class_(relevant.size()) {
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
    of_class_[c].data.push_back(node);
  }
  std::sort(data_.begin(), data_.end(), [&](const DataNode& a, const DataNode& b) {
    return std::tuple(-a.fitness, -efficiency[a.node_class], a.node_class, a.node) <
           std::tuple(-b.fitness, -efficiency[b.node_class], b.node_class, b.node);
  });
  for (std::size_t i = 0; i < data_.size(); ++i) rank_of_.emplace(data_[i].node, i);
  for (OfClass& of : of_class_) std::sort(of.data.begin(), of.data.end());
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

void Ranking::count_containers(const FreeContainers& containers) {
  if (version_ == containers.version()) return;
  version_ = containers.version();
  before_.assign(1, 0);
  for (const DataNode& each : data_) before_.push_back(before_.back() + containers.whole(each.node));
  for (ClassId c = 0; c < of_class_.size(); ++c) {
    OfClass& of = of_class_[c];
    of.before.assign(1, 0);
    for (const NodeIndex node : of.data) of.before.push_back(of.before.back() + containers.whole(node));
    of.others = containers.of(c).whole - of.before.back();
  }
}

Count Ranking::free_in_optset(const FreeContainers& containers, Count asked) {
  count_containers(containers);
  Count sum = free_of_data(containers, asked), left = asked - before_.back();
  for (auto c = classes_.begin(); c != classes_.end() && left > 0; ++c) {
    sum += free_of_others(containers, *c, left);
    left -= of_class_[*c].others;
  }
  return sum;
}

std::vector<Grant> Ranking::optset_of_data(const FreeContainers& containers, Count asked) {
  count_containers(containers);
  std::vector<Grant> shares;
  for (std::size_t rank = 0; rank < data_.size() && before_[rank] < asked; ++rank) {
    const NodeIndex node = data_[rank].node;
    shares.push_back({node, std::min(containers.whole(node), asked - before_[rank])});
  }
  return shares;
}

Count Ranking::whole_of_data(const FreeContainers& containers) {
  count_containers(containers);
  return before_.back();
}

// Of the nodes with blocks: from the node with rank i, `asked` − before_[i] containers are in the optset.
Count Ranking::free_of_data(const FreeContainers& containers, Count asked) const {
  Count sum = 0;
  const auto add = [&](std::size_t rank) {
    const NodeIndex node = data_[rank].node;
    sum +=
        std::min(containers.free(node), std::clamp<Count>(asked - before_[rank], 0, containers.whole(node)));
  };
  if (open_nodes(containers) < data_.size()) {
    for (const std::size_t rank : open_ranks(containers)) add(rank);
  } else {
    for (std::size_t rank = 0; rank < data_.size() && before_[rank] < asked; ++rank) add(rank);
  }
  return sum;
}

// Containers of the class's nodes without blocks among its first `position` members.
Count Ranking::others_before(const FreeContainers& containers, ClassId node_class,
                             std::size_t position) const {
  const OfClass& of = of_class_[node_class];
  const auto data = std::partition_point(
      of.data.begin(), of.data.end(), [&](NodeIndex node) { return containers.position(node) < position; });
  return containers.whole_before(node_class, position) -
         of.before[static_cast<std::size_t>(data - of.data.begin())];
}

// Of the class's nodes without blocks, of which the first `asked` containers are in the optset.
Count Ranking::free_of_others(const FreeContainers& containers, ClassId node_class, Count asked) const {
  const FreeContainers::Class& of = containers.of(node_class);
  const std::vector<NodeIndex>& data = of_class_[node_class].data;
  const auto free_before = [&](std::size_t position) {
    const bool few_open = of.open.size() < data.size();
    Count sum = few_open ? 0 : containers.free_before(node_class, position);
    const auto count = [&](const auto& nodes, Count sign) {
      for (const NodeIndex node : nodes) {
        if (containers.position(node) >= position) break;
        if (sign < 0 || !holds_data(node)) sum += sign * containers.free(node);
      }
    };
    few_open ? count(of.open, 1) : count(data, -1);
    return sum;
  };
  if (of.free == 0) return 0;
  if (of_class_[node_class].others <= asked) return free_before(of.members.size());
  std::size_t least = 0, most = of.members.size();  // others before `least` <= asked < others before `most`
  while (most - least > 1) {
    const std::size_t middle = least + (most - least) / 2;
    (others_before(containers, node_class, middle) <= asked ? least : most) = middle;
  }
  const Count partly = asked - others_before(containers, node_class, least);
  return free_before(least) + std::min(containers.free(of.members[least]), partly);
}

std::size_t Ranking::open_nodes(const FreeContainers& containers) const {
  std::size_t open = 0;
  for (const ClassId c : classes_) open += containers.of(c).open.size();
  return open;
}

// Ranks of the nodes with blocks that have free containers, ascending.
std::vector<std::size_t> Ranking::open_ranks(const FreeContainers& containers) const {
  std::vector<std::size_t> ranks;
  for (const ClassId c : classes_) {
    for (const NodeIndex node : containers.of(c).open) {
      if (const auto rank = rank_of_.find(node); rank != rank_of_.end()) ranks.push_back(rank->second);
    }
  }
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

std::vector<Grant> Ranking::best_free(const FreeContainers& containers, Count count) const {
  std::vector<Grant> grants;
  const auto take = [&](NodeIndex node) {
    const Count containers_there = std::min(containers.free(node), count);
    if (containers_there == 0) return;
    grants.push_back({node, containers_there});
    count -= containers_there;
  };
  if (open_nodes(containers) < data_.size()) {
    for (const std::size_t rank : open_ranks(containers)) take(data_[rank].node);
  } else {
    for (auto each = data_.begin(); each != data_.end() && count > 0; ++each) take(each->node);
  }
  for (const ClassId c : classes_) {
    const std::set<NodeIndex>& nodes = containers.of(c).open;
    for (auto node = nodes.begin(); node != nodes.end() && count > 0; ++node) {
      if (!holds_data(*node)) take(*node);
    }
  }
  return grants;
}

}  // namespace wavewright
