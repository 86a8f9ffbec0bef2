#include "wavewright/realtime/containers/sure_memory.h"

#include <algorithm>
#include <cstddef>

namespace wavewright {

namespace {

std::vector<Count> sizes_of(const ContainerJob& job) {
  std::vector<Count> sizes{job.master_memory};
  if (job.maps > 0) sizes.push_back(job.map_memory);
  if (job.reduces > 0) sizes.push_back(job.reduce_memory);
  return sizes;
}

Count memory_of(const std::vector<EqualNodes>& nodes, const std::map<Count, Count>& sizes) {
  std::vector<Count> all;
  all.reserve(sizes.size());
  for (const auto& [size, jobs] : sizes) all.push_back(size);
  return sure_memory(nodes, all);
}

}  // namespace

SureMemory::SureMemory(const ContainerRoom& room) : rows_(room.rows) {
  for (const ContainerRoom::Nodes& row : rows_)
    away_.insert(away_.end(), static_cast<std::size_t>(row.nodes), row.rented);
}

std::vector<EqualNodes> SureMemory::nodes_there() const {
  std::vector<EqualNodes> nodes;
  auto away = away_.begin();
  for (const ContainerRoom::Nodes& row : rows_) {
    const auto next = away + static_cast<std::ptrdiff_t>(row.nodes);
    const Count there = std::count(away, next, false);
    if (there > 0) nodes.push_back({there, row.memory});
    away = next;
  }
  return nodes;
}

void SureMemory::count() {
  const std::vector<EqualNodes> nodes = nodes_there();
  largest_node_ = 0;
  for (const EqualNodes& each : nodes) largest_node_ = std::max(largest_node_, each.memory);
  memory_ = memory_of(nodes, sizes_);
}

void SureMemory::set_away(NodeIndex node, bool away) {
  away_.at(node) = away;
  count();
}

void SureMemory::add(const ContainerJob& job) {
  const std::size_t before = sizes_.size();
  for (const Count size : sizes_of(job)) ++sizes_[size];
  if (sizes_.size() != before) count();
}

void SureMemory::remove(const ContainerJob& job) {
  const std::size_t before = sizes_.size();
  for (const Count size : sizes_of(job)) {
    if (--sizes_[size] == 0) sizes_.erase(size);
  }
  if (sizes_.size() != before) count();
}

Count SureMemory::with(const ContainerJob& job) const {
  std::map<Count, Count> sizes = sizes_;
  for (const Count size : sizes_of(job)) ++sizes[size];
  return sizes.size() == sizes_.size() ? memory_ : memory_of(nodes_there(), sizes);
}

bool SureMemory::fits(const ContainerJob& job, Count memory) const {
  const std::vector<Count> sizes = sizes_of(job);
  return job.needs() <= memory && *std::max_element(sizes.begin(), sizes.end()) <= largest_node_;
}

}  // namespace wavewright
