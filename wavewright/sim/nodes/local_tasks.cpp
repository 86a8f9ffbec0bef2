#include "wavewright/sim/nodes/local_tasks.h"

#include <algorithm>

namespace wavewright::sim {

namespace {

constexpr std::uint32_t nowhere = ~std::uint32_t{0};

// The first position of `value`, or the size. In strides without a branch inside, which the compiler turns
// into a few wide instructions.
std::size_t find_first(const std::vector<std::uint32_t>& values, std::uint32_t value) {
  constexpr std::size_t stride = 16;
  const std::uint32_t* const data = values.data();
  std::size_t at = 0;
  for (; at + stride <= values.size(); at += stride) {
    std::uint32_t hit = 0;
    for (std::size_t i = 0; i < stride; ++i) hit |= data[at + i] == value ? 1U : 0U;
    if (hit != 0) break;
  }
  while (at < values.size() && data[at] != value) ++at;
  return at;
}

}  // namespace

LocalTasks::LocalTasks(Blocks blocks, const Topology& topology, std::size_t index_from)
    : topology_(topology), blocks_(std::move(blocks)), taken_(blocks_.maps()) {
  std::vector<std::uint32_t> racks;
  racks.reserve(blocks_.nodes.size());
  for (const NodeIndex node : blocks_.nodes) racks.push_back(topology.rack[node]);
  const bool index = blocks_.nodes.size() >= index_from;
  by_node_.build(blocks_, blocks_.nodes, index);
  by_rack_.build(blocks_, std::move(racks), index);
}

void LocalTasks::Places::build(const Blocks& blocks, std::vector<std::uint32_t> place_of, bool index) {
  place_of_ = std::move(place_of);
  owner_.reserve(place_of_.size());
  for (std::uint32_t task = 0; task < blocks.maps(); ++task)
    owner_.insert(owner_.end(), blocks.of(task).size(), task);
  if (!index) {
    left_ = place_of_;
    return;
  }
  std::vector<std::uint64_t> pairs;
  pairs.reserve(place_of_.size());
  for (std::size_t i = 0; i < place_of_.size(); ++i)
    pairs.push_back((std::uint64_t{place_of_[i]} << 32) | owner_[i]);
  std::sort(pairs.begin(), pairs.end());
  for (const std::uint64_t each : pairs) {
    const auto place = static_cast<std::uint32_t>(each >> 32);
    const auto at = static_cast<std::uint32_t>(tasks_.size());
    if (ranges_.empty() || ranges_.back().place != place) ranges_.push_back({place, at, at, at});
    tasks_.push_back(static_cast<std::uint32_t>(each));
    ++ranges_.back().end;
  }
}

std::optional<std::uint32_t> LocalTasks::Places::first(std::uint32_t place,
                                                       const std::vector<std::uint8_t>& taken) {
  if (!ranges_.empty()) return first_in_index(place, taken);
  const std::size_t found = find_first(left_, place);
  return found == left_.size() ? std::nullopt : std::optional(owner_[found]);
}

std::optional<std::uint32_t> LocalTasks::Places::first_in_index(std::uint32_t place,
                                                                const std::vector<std::uint8_t>& taken) {
  const auto found =
      std::lower_bound(ranges_.begin(), ranges_.end(), place,
                       [](const Range& range, std::uint32_t wanted) { return range.place < wanted; });
  if (found == ranges_.end() || found->place != place) return std::nullopt;
  while (found->next < found->end && taken[tasks_[found->next]] != 0) ++found->next;
  return found->next == found->end ? std::nullopt : std::optional(tasks_[found->next]);
}

void LocalTasks::Places::take(const Blocks& blocks, std::uint32_t task) {
  if (left_.empty()) return;
  for (std::uint32_t i = blocks.first[task]; i < blocks.first[task + 1]; ++i) left_[i] = nowhere;
}

void LocalTasks::Places::give_back(const Blocks& blocks, std::uint32_t task) {
  for (Range& range : ranges_) range.next = range.begin;
  if (left_.empty()) return;
  for (std::uint32_t i = blocks.first[task]; i < blocks.first[task + 1]; ++i) left_[i] = place_of_[i];
}

void LocalTasks::take(std::uint32_t task) {
  taken_[task] = 1;
  by_node_.take(blocks_, task);
  by_rack_.take(blocks_, task);
}

void LocalTasks::give_back(std::uint32_t task) {
  taken_[task] = 0;
  first_ = std::min(first_, task);
  by_node_.give_back(blocks_, task);
  by_rack_.give_back(blocks_, task);
}

std::optional<LocalTasks::Choice> LocalTasks::closest(NodeIndex node, Locality at_most) {
  if (const auto task = by_node_.first(node, taken_)) return Choice{*task, Locality::node};
  if (at_most == Locality::node) return std::nullopt;
  if (const auto task = by_rack_.first(topology_.rack[node], taken_)) return Choice{*task, Locality::rack};
  if (at_most == Locality::rack) return std::nullopt;
  while (first_ < taken_.size() && taken_[first_] != 0) ++first_;
  if (first_ == taken_.size()) return std::nullopt;
  return Choice{first_, Locality::off_rack};
}

Locality LocalTasks::locality(std::uint32_t task, NodeIndex node) const {
  Locality found = Locality::off_rack;
  for (const NodeIndex holder : blocks_.of(task)) {
    if (holder == node) return Locality::node;
    if (topology_.rack[holder] == topology_.rack[node]) found = Locality::rack;
  }
  return found;
}

}  // namespace wavewright::sim
