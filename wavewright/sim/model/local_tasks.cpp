#include "wavewright/sim/model/local_tasks.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace wavewright::sim {

LocalTasks::LocalTasks(Blocks blocks, const Topology& topology) : topology_(topology) {
  renew(std::move(blocks));
}

void LocalTasks::renew(Blocks blocks) {
  places_ = std::move(blocks);
  taken_.assign(places_.maps(), 0);
  places_left_.reset();
  first_ = 0;
  is_ordered_ = false;
}

void LocalTasks::order() {
  is_ordered_ = true;
  if (!rows_.make(places_, topology_, taken_)) link_all();
}

void LocalTasks::link_all() {
  blocks_.resize(places_.nodes.size());
  for (std::uint32_t task = 0; task < places_.maps(); ++task) {
    for (std::uint32_t block = places_.first[task]; block < places_.first[task + 1]; ++block)
      blocks_[block].task = task;
  }
  link();
}

// Goes from the last block to the first, so that links lead from lower tasks to higher ones.
void LocalTasks::link() {
  on_node_.resize(blocks_.size(), topology_.size());
  in_rack_.resize(blocks_.size(), topology_.racks.size());
  for (std::size_t i = blocks_.size(); i-- > 0;) {
    Block& block = blocks_[i];
    if (taken_[block.task] != 0) continue;
    const NodeIndex node = places_.nodes[i];
    block.next_on_node = std::exchange(on_node_.at(node), static_cast<std::uint32_t>(i));
    block.next_in_rack = std::exchange(in_rack_.at(topology_.rack[node]), static_cast<std::uint32_t>(i));
  }
}

Count LocalTasks::places_left() {
  if (!places_left_) {
    places_left_ = std::make_unique<std::unordered_map<std::size_t, std::uint32_t>>();
    for (std::uint32_t task = 0; task < places_.maps(); ++task) {
      if (taken_[task] == 0) count_places(task, true);
    }
  }
  return static_cast<Count>(places_left_->size());
}

void LocalTasks::count_places(std::uint32_t task, bool left) {
  const auto count = [&](std::size_t place) {
    std::uint32_t& blocks = (*places_left_)[place];
    blocks += left ? 1U : ~0U;
    if (blocks == 0) places_left_->erase(place);
  };
  for (const NodeIndex node : places_.of(task)) {
    count(node);
    count(topology_.size() + topology_.rack[node]);
  }
}

void LocalTasks::give_back(std::uint32_t task) {
  taken_[task] = 0;
  if (places_left_) count_places(task, true);
  first_ = std::min(first_, task);
  if (!is_ordered_) return;
  if (rows_.made()) {
    rows_.make(places_, topology_, taken_);
  } else {
    link();
  }
}

std::optional<std::uint32_t> LocalTasks::first(Heads& heads, std::uint32_t place,
                                               std::uint32_t Block::* next) {
  std::uint32_t* const head = heads.find(place);
  if (head == nullptr) return std::nullopt;
  while (*head != none && taken_[blocks_[*head].task] != 0) *head = blocks_[*head].*next;
  return *head == none ? std::nullopt : std::optional(blocks_[*head].task);
}

RackRows::Found LocalTasks::linked(NodeIndex node) {
  if (const auto task = first(on_node_, node, &Block::next_on_node)) return {task, std::nullopt};
  return {std::nullopt, first(in_rack_, topology_.rack[node], &Block::next_in_rack)};
}

std::optional<LocalTasks::Choice> LocalTasks::closest(NodeIndex node, Locality at_most) {
  if (!is_ordered_) order();
  const RackRows::Found found = rows_.made() ? rows_.find(node, topology_.rack[node], taken_) : linked(node);
  if (found.on_node) return Choice{*found.on_node, Locality::node};
  if (at_most == Locality::node) return std::nullopt;
  if (found.in_rack) return Choice{*found.in_rack, Locality::rack};
  if (at_most == Locality::rack) return std::nullopt;
  while (first_ < taken_.size() && taken_[first_] != 0) ++first_;
  if (first_ == taken_.size()) return std::nullopt;
  return Choice{first_, Locality::off_rack};
}

Locality LocalTasks::locality(std::uint32_t task, NodeIndex node) const {
  Locality found = Locality::off_rack;
  for (const NodeIndex holder : places_.of(task)) {
    if (holder == node) return Locality::node;
    if (topology_.rack[holder] == topology_.rack[node]) found = Locality::rack;
  }
  return found;
}

void LocalTasks::Heads::resize(std::size_t blocks, std::size_t places) {
  constexpr std::size_t few = 4;  // places per block: the array is then no larger than the table
  if (places <= few * blocks) {
    row_.assign(places, none);
  } else {
    row_.clear();
    entries_.assign(std::bit_ceil(std::max<std::size_t>(2, 2 * blocks)), {});
  }
}

// Fibonacci hashing: the top bits of the product spread neighbouring places.
std::size_t LocalTasks::Heads::home(std::uint32_t place) const {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  const auto bits = static_cast<unsigned>(std::countr_zero(entries_.size()));
  return (place * odd) >> (64 - bits);
}

std::uint32_t* LocalTasks::Heads::find(std::uint32_t place) {
  if (!row_.empty()) return &row_[place];
  for (std::size_t at = home(place);; at = (at + 1) & (entries_.size() - 1)) {
    if (entries_[at].place == place) return &entries_[at].block;
    if (entries_[at].place == none) return nullptr;
  }
}

std::uint32_t& LocalTasks::Heads::at(std::uint32_t place) {
  if (!row_.empty()) return row_[place];
  std::size_t at = home(place);
  while (entries_[at].place != place && entries_[at].place != none) at = (at + 1) & (entries_.size() - 1);
  entries_[at].place = place;
  return entries_[at].block;
}

}  // namespace wavewright::sim
