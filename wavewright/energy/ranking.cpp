#include "wavewright/energy/ranking.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace wavewright {

namespace {

// Calls `visit` for the open nodes of a class, ascending, until it returns false.
template <class Visit>
void each_open(const FreeContainers& containers, ClassId node_class, Visit visit) {
  const sim::NumberSet& open = containers.of(node_class).open;
  NodeIndex node = open.next(0);
  while (node != sim::NumberSet::none && visit(node)) node = open.next(node + 1);
}

// Nodes of equal fitness for a job.
struct Level {
  double fitness = 0, efficiency = 0;
  ClassId node_class = 0;
  std::uint32_t nodes = 0;

  [[nodiscard]] auto key() const { return std::tuple(-fitness, -efficiency, node_class); }
};

// By level: the place of its first node, best levels first.
std::vector<std::uint32_t> first_places(const std::vector<Level>& levels) {
  std::vector<std::uint32_t> order(levels.size()), first(levels.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return levels[a].key() < levels[b].key(); });
  std::uint32_t nodes = 0;
  for (const std::uint32_t level : order) {
    first[level] = nodes;
    nodes += levels[level].nodes;
  }
  return first;
}

}  // namespace

Ranking::Ranking(const View& view, JobIndex job, const std::vector<bool>& relevant)
    : relevant_(relevant), blocks_(view, job) {
  std::vector<double> efficiency;
  efficiency.reserve(relevant_.size());
  for (ClassId c = 0; c < relevant_.size(); ++c) {
    efficiency.push_back(view.efficiency(job, c));
    if (relevant_[c]) classes_.push_back(c);
  }
  std::sort(classes_.begin(), classes_.end(), [&](ClassId a, ClassId b) {
    return efficiency[a] != efficiency[b] ? efficiency[a] > efficiency[b] : a < b;
  });
  if (!blocks_.nodes().empty()) rank(view, efficiency, view.facts(job).maps);
}

// A node's fitness follows from its class and its number of blocks. There are few such pairs, so that they
// are sorted and the nodes, which stand in order of number, only counted.
void Ranking::rank(const View& view, const std::vector<double>& efficiency, Count maps) {
  const std::span<const NodeIndex> nodes = blocks_.nodes();
  std::vector<std::uint32_t> level_at;  // by number of blocks and class
  std::vector<Level> levels;
  std::size_t ranked = 0;
  rank_.assign(nodes.size(), none);  // a node's level, so far
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const ClassId c = view.node_class(nodes[i]);
    if (!relevant_[c]) continue;
    const std::size_t count = blocks_.maps(i).size();
    if (level_at.size() <= count * relevant_.size() + c)
      level_at.resize((count + 1) * relevant_.size(), none);
    std::uint32_t& level = level_at[count * relevant_.size() + c];
    if (level == none) {
      const double overlap = static_cast<double>(count) / static_cast<double>(maps);
      level = static_cast<std::uint32_t>(levels.size());
      levels.push_back({efficiency[c] * overlap, efficiency[c], c, 0});
    }
    ++levels[level].nodes;
    rank_[i] = level;
    ++ranked;
  }
  std::vector<std::uint32_t> next_place = first_places(levels);
  data_.resize(ranked);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (rank_[i] == none) continue;
    rank_[i] = next_place[rank_[i]]++;
    data_[rank_[i]] = nodes[i];
  }
}

void Ranking::forget_blocks() {
  blocks_ = {};
  data_ = {};
  rank_ = {};
}

std::uint32_t Ranking::rank_of(NodeIndex node) const {
  const std::optional<std::size_t> place = blocks_.place(node);
  return place ? rank_[*place] : none;
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

// By class: which nodes hold blocks, and how many containers these and the others have.
void Ranking::count_others(const FreeContainers& containers) {
  if (version_ == containers.version()) return;
  version_ = containers.version();
  of_class_.resize(relevant_.size());
  for (OfClass& of : of_class_) of.data.clear();
  for (std::size_t i = 0; i < rank_.size(); ++i) {
    const NodeIndex node = blocks_.nodes()[i];
    if (rank_[i] != none) of_class_[containers.class_of(node)].data.push_back(node);
  }
  for (ClassId c = 0; c < of_class_.size(); ++c) {
    OfClass& of = of_class_[c];
    of.before.assign(1, 0);
    for (const NodeIndex node : of.data) of.before.push_back(of.before.back() + containers.whole(node));
    of.others = containers.of(c).whole - of.before.back();
  }
}

Count Ranking::free_in_optset(const FreeContainers& containers, Count asked) {
  Count sum = 0, left = asked;
  for (auto node = data_.begin(); node != data_.end() && left > 0; ++node) {
    const Count here = std::min(containers.whole(*node), left);
    sum += std::min(containers.free(*node), here);
    left -= here;
  }
  if (left == 0) return sum;
  count_others(containers);
  for (auto c = classes_.begin(); c != classes_.end() && left > 0; ++c) {
    sum += free_of_others(containers, *c, left);
    left -= of_class_[*c].others;
  }
  return sum;
}

std::vector<Grant> Ranking::optset_of_data(const FreeContainers& containers, Count asked) const {
  std::vector<Grant> shares;
  shares.reserve(std::min(data_.size(), static_cast<std::size_t>(asked)));
  Count left = asked;
  for (auto node = data_.begin(); node != data_.end() && left > 0; ++node) {
    shares.push_back({*node, std::min(containers.whole(*node), left)});
    left -= shares.back().containers;
  }
  return shares;
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
    Count sum = 0;
    if (of.open.count() < data.size()) {
      each_open(containers, node_class, [&](NodeIndex node) {
        const bool before = containers.position(node) < position;
        if (before && !holds_data(node)) sum += containers.free(node);
        return before;
      });
      return sum;
    }
    sum = containers.free_before(node_class, position);
    for (const NodeIndex node : data) {
      if (containers.position(node) >= position) break;
      sum -= containers.free(node);
    }
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
  for (const ClassId c : classes_) open += containers.of(c).open.count();
  return open;
}

// best_free where few nodes have free containers: these are sorted, rather than all nodes with blocks looked
// at.
void Ranking::best_of_few(const FreeContainers& containers, Count count, std::vector<Grant>& into) const {
  const auto first = static_cast<std::ptrdiff_t>(into.size());
  const bool alone = open_nodes(containers) == 1;
  auto behind = static_cast<Count>(data_.size());
  for (const ClassId c : classes_) {
    each_open(containers, c, [&](NodeIndex node) {
      const std::uint32_t rank = alone ? none : rank_of(node);
      into.push_back({node, rank == none ? behind++ : Count{rank}});  // its place, not containers, so far
      return true;
    });
  }
  std::sort(into.begin() + first, into.end(),
            [](const Grant& a, const Grant& b) { return a.containers < b.containers; });
  auto end = into.begin() + first;
  for (; end != into.end() && count > 0; ++end) {
    end->containers = std::min(containers.free(end->node), count);
    count -= end->containers;
  }
  into.erase(end, into.end());
}

void Ranking::best_free(const FreeContainers& containers, Count count, std::vector<Grant>& into) const {
  const auto take = [&](NodeIndex node) {
    const Count containers_there = std::min(containers.free(node), count);
    if (containers_there == 0) return;
    into.push_back({node, containers_there});
    count -= containers_there;
  };
  constexpr std::size_t look_up = 8;  // takes longer than a step to the next rank by so much
  if (has_data() && open_nodes(containers) * look_up < data_.size())
    return best_of_few(containers, count, into);
  for (auto node = data_.begin(); node != data_.end() && count > 0; ++node) take(*node);
  const std::span<const NodeIndex> with_blocks = blocks_.nodes();
  for (auto c = classes_.begin(); c != classes_.end() && count > 0; ++c) {
    auto next = with_blocks.begin();  // both go by number
    each_open(containers, *c, [&](NodeIndex node) {
      while (next != with_blocks.end() && *next < node) ++next;
      if (next == with_blocks.end() || *next != node) take(node);
      return count > 0;
    });
  }
}

}  // namespace wavewright
