#include "wavewright/energy/ranking.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>

namespace wavewright {

namespace {

// The node of the word's lowest bit that is left.
NodeIndex node_of(std::size_t word, std::uint64_t bits) {
  return static_cast<NodeIndex>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
}

}  // namespace

// Memory that a thread's rankings use one after the other.
struct Ranking::Scratch {
  struct InLevel {
    NodeIndex node = 0;
    std::uint32_t level = 0;
  };
  std::vector<double> efficiency;       // by class
  std::vector<std::uint32_t> more;      // by node: its blocks beside the first; 0 between two rankings
  std::vector<std::uint32_t> level_at;  // by number of blocks and class, from 1; 0 = there is none
  std::vector<InLevel> several;         // nodes with several blocks, ascending, with the place of their level
  std::vector<std::uint32_t> next_place;  // by level: of its next node in Data::several
  std::vector<Data> spare;                // of jobs that have no maps to start
};

Ranking::Scratch& Ranking::scratch() {
  thread_local Scratch memory;
  return memory;
}

Ranking::Ranking(const View& view, JobIndex job, std::vector<bool> relevant, bool by_blocks)
    : relevant_(std::move(relevant)) {
  Scratch& memory = scratch();
  std::vector<double>& efficiency = memory.efficiency;
  efficiency.clear();
  classes_.reserve(relevant_.size());
  for (ClassId c = 0; c < relevant_.size(); ++c) {
    efficiency.push_back(view.efficiency(job, c));
    if (relevant_[c]) classes_.push_back(c);
  }
  std::sort(classes_.begin(), classes_.end(), [&](ClassId a, ClassId b) {
    return efficiency[a] != efficiency[b] ? efficiency[a] > efficiency[b] : a < b;
  });
  if (by_blocks) rank(view, job, memory);
}

// A node's fitness follows from its class and its number of blocks. There are few such pairs, so that they
// are sorted, and the nodes only counted.
void Ranking::rank(const View& view, JobIndex job, Scratch& memory) {
  mark_blocks(view, job, memory);
  if (data_.holds.empty()) return;
  const auto maps = static_cast<double>(view.facts(job).maps);
  const auto add_level = [&](ClassId node_class, std::uint32_t blocks) {
    const double overlap = static_cast<double>(blocks) / maps, of_class = memory.efficiency[node_class];
    data_.levels.push_back({of_class * overlap, of_class, node_class, blocks, 0, 0});
  };
  for (const ClassId c : classes_) add_level(c, 1);
  memory.level_at.clear();
  memory.several.clear();
  for (std::size_t word = 0; word < data_.holds.size(); ++word) {
    const std::uint64_t several = std::exchange(data_.once[word], data_.holds[word] & ~data_.once[word]);
    for (std::uint64_t bits = several; bits != 0; bits &= bits - 1) {
      const NodeIndex node = node_of(word, bits);
      const std::uint32_t blocks = 1 + std::exchange(memory.more[node], 0);
      const ClassId c = view.node_class(node);
      if (!relevant_[c]) continue;
      const std::size_t at = blocks * relevant_.size() + c;
      if (memory.level_at.size() <= at) memory.level_at.resize((blocks + 1) * relevant_.size(), 0);
      std::uint32_t& level = memory.level_at[at];
      if (level == 0) {
        add_level(c, blocks);
        level = static_cast<std::uint32_t>(data_.levels.size());
      }
      ++data_.levels[level - 1].nodes;
      memory.several.push_back({node, level - 1});
    }
  }
  sort_levels(memory);
}

// Sets the bits of the nodes with blocks in `holds`, and those of nodes with several in `once`. Counts only
// further blocks of a node: most nodes have none.
void Ranking::mark_blocks(const View& view, JobIndex job, Scratch& memory) {
  if (memory.more.size() < view.nodes()) memory.more.resize(view.nodes());
  const auto maps = static_cast<TaskIndex>(view.facts(job).maps);
  for (TaskIndex map = 0; map < maps; ++map) {
    const std::span<const NodeIndex> nodes = view.block_nodes(job, map);
    if (data_.holds.empty() && !nodes.empty()) {
      if (!memory.spare.empty()) {
        data_ = std::move(memory.spare.back());
        memory.spare.pop_back();
      }
      data_.holds.assign((view.nodes() + 63) / 64, 0);
      data_.once.assign(data_.holds.size(), 0);
    }
    for (const NodeIndex node : nodes) {
      const std::uint64_t bit = std::uint64_t{1} << (node % 64);
      std::uint64_t& holds = data_.holds[node / 64];
      if ((holds & bit) != 0) {
        ++memory.more[node];
        data_.once[node / 64] |= bit;
      }
      holds |= bit;
    }
  }
}

// Best levels first; the nodes with several blocks follow them.
void Ranking::sort_levels(Scratch& memory) {
  std::vector<Level>& levels = data_.levels;
  for (std::uint32_t level = 0; level < levels.size(); ++level) levels[level].first = level;
  const auto key = [](const Level& of) { return std::tuple(-of.fitness, -of.efficiency, of.node_class); };
  std::sort(levels.begin(), levels.end(), [&](const Level& a, const Level& b) { return key(a) < key(b); });
  memory.next_place.resize(levels.size());
  std::uint32_t nodes = 0;
  for (Level& level : levels) {
    memory.next_place[std::exchange(level.first, nodes)] = nodes;
    nodes += level.nodes;
  }
  data_.several.resize(nodes);
  for (const Scratch::InLevel& each : memory.several)
    data_.several[memory.next_place[each.level]++] = each.node;
}

void Ranking::forget_blocks() {
  constexpr std::size_t most_spare = 16;
  if (data_.holds.empty()) return;
  std::vector<Data>& spare = scratch().spare;
  data_.levels.clear();
  data_.several.clear();
  data_.holds.clear();
  data_.once.clear();
  if (spare.size() < most_spare) spare.push_back(std::move(data_));
  data_ = {};
}

// Calls `visit` for the relevant nodes with blocks, best first, until it returns false; with `open`, some of
// those without free containers are left out.
template <class Visit>
void Ranking::each_with_blocks(const FreeContainers& containers, bool open, Visit visit) const {
  for (const Level& level : data_.levels) {
    if (open && containers.free_of(level.node_class) == 0) continue;
    for (std::size_t i = level.first; i < level.first + level.nodes; ++i) {
      if (!visit(data_.several[i])) return;
    }
    if (level.blocks > 1) continue;
    const std::span<const std::uint64_t> members =
        open ? containers.open(level.node_class) : containers.of(level.node_class).bits;
    for (std::size_t word = 0; word < members.size(); ++word) {
      for (std::uint64_t bits = data_.once[word] & members[word]; bits != 0; bits &= bits - 1) {
        if (!visit(node_of(word, bits))) return;
      }
    }
  }
}

bool Ranking::avoid(NodeIndex node) {
  const auto place = std::lower_bound(avoided_.begin(), avoided_.end(), node);
  if (place != avoided_.end() && *place == node) return false;
  avoided_.insert(place, node);
  return true;
}

// The sum over the avoided nodes of relevant classes.
template <class Value>
Count Ranking::of_avoided(const FreeContainers& containers, Value value) const {
  Count sum = 0;
  for (const NodeIndex node : avoided_) {
    if (relevant_[containers.class_of(node)]) sum += value(node);
  }
  return sum;
}

Count Ranking::whole(const FreeContainers& containers) const {
  Count sum = 0;
  for (const ClassId c : classes_) sum += containers.of(c).whole;
  return sum - of_avoided(containers, [&](NodeIndex node) { return containers.whole(node); });
}

Count Ranking::free(const FreeContainers& containers) const {
  Count sum = 0;
  for (const ClassId c : classes_) sum += containers.free_of(c);
  return sum - of_avoided(containers, [&](NodeIndex node) { return containers.free(node); });
}

// By class: which nodes hold blocks, and how many containers these and the others have.
void Ranking::count_others(const FreeContainers& containers) {
  if (version_ == containers.version()) return;
  version_ = containers.version();
  of_class_.resize(relevant_.size());
  for (OfClass& of : of_class_) of.data.clear();
  for (ClassId c = 0; c < of_class_.size(); ++c) {
    OfClass& of = of_class_[c];
    const std::vector<std::uint64_t>& members = containers.of(c).bits;
    for (std::size_t word = 0; word < std::min(data_.holds.size(), members.size()); ++word) {
      for (std::uint64_t bits = data_.holds[word] & members[word]; bits != 0; bits &= bits - 1)
        of.data.push_back(node_of(word, bits));
    }
    of.before.assign(1, 0);
    for (const NodeIndex node : of.data) of.before.push_back(of.before.back() + containers.whole(node));
    of.others = containers.of(c).whole - of.before.back();
  }
}

// Few jobs avoid nodes, so that these are counted node by node.
Count Ranking::free_in_optset_by_node(const FreeContainers& containers, Count asked) const {
  Count sum = 0, left = asked;
  const auto count = [&](NodeIndex node) {
    if (avoids(node)) return true;
    const Count here = std::min(containers.whole(node), left);
    sum += std::min(containers.free(node), here);
    left -= here;
    return left > 0;
  };
  each_with_blocks(containers, false, count);
  for (auto c = classes_.begin(); c != classes_.end() && left > 0; ++c) {
    for (const NodeIndex node : containers.of(*c).members) {
      if (!has_blocks_on(node) && !count(node)) break;
    }
  }
  return sum;
}

Count Ranking::free_in_optset(const FreeContainers& containers, Count asked) {
  if (!avoided_.empty()) return free_in_optset_by_node(containers, asked);
  Count sum = 0, left = asked;
  each_with_blocks(containers, false, [&](NodeIndex node) {
    const Count here = std::min(containers.whole(node), left);
    sum += std::min(containers.free(node), here);
    left -= here;
    return left > 0;
  });
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
  Count left = asked;
  each_with_blocks(containers, false, [&](NodeIndex node) {
    shares.push_back({node, std::min(containers.whole(node), left)});
    left -= shares.back().containers;
    return left > 0;
  });
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
    auto next = data.begin();  // both go by number
    containers.each_open(node_class, [&](NodeIndex node) {
      if (containers.position(node) >= position) return false;
      while (next != data.end() && *next < node) ++next;
      if (next == data.end() || *next != node) sum += containers.free(node);
      return true;
    });
    return sum;
  };
  if (containers.free_on_nodes_of(node_class) == 0) return 0;
  if (of_class_[node_class].others <= asked) return free_before(of.members.size());
  std::size_t least = 0, most = of.members.size();  // others before `least` <= asked < others before `most`
  while (most - least > 1) {
    const std::size_t middle = least + (most - least) / 2;
    (others_before(containers, node_class, middle) <= asked ? least : most) = middle;
  }
  const Count partly = asked - others_before(containers, node_class, least);
  return free_before(least) + std::min(containers.free(of.members[least]), partly);
}

void Ranking::best_free(const FreeContainers& containers, Count count, std::vector<Grant>& into) const {
  Count left = free(containers);  // of nodes that were not looked at
  const auto take = [&](NodeIndex node) {
    if (avoids(node)) return true;
    const Count there = containers.free(node), taken = std::min(there, count);
    if (taken > 0) into.push_back({node, taken});
    count -= taken;
    left -= there;
    return count > 0 && left > 0;
  };
  if (count == 0 || left == 0) return;
  const NodeIndex expected = containers.expected();
  const bool may_take = relevant_[containers.class_of(expected)] && !avoids(expected);
  if (left == 1 && containers.free(expected) == 1 && may_take) {
    (void)take(expected);
    return;
  }
  const bool all_alike = !has_data() || left == 1;  // or one container, which needs no order
  if (!all_alike) each_with_blocks(containers, true, take);
  for (auto c = classes_.begin(); c != classes_.end() && count > 0 && left > 0; ++c) {
    containers.each_open(*c, [&](NodeIndex node) {
      const bool held = !all_alike && has_blocks_on(node);
      return held || take(node);
    });
  }
}

void Ranking::best_classes(const FreeContainers& containers, Count count,
                           std::vector<ClassGrant>& into) const {
  for (auto c = classes_.begin(); c != classes_.end() && count > 0; ++c) {
    const Count taken = std::min(containers.free_of(*c), count);
    if (taken > 0) into.push_back({*c, taken});
    count -= taken;
  }
}

}  // namespace wavewright
