#include "wavewright/sim/model/network_model.h"

#include <algorithm>
#include <cmath>

namespace wavewright::sim {

namespace {

// 1 Mbit/s is 125 bytes/ms.
std::uint64_t bytes_per_ms(double mbps) {
  constexpr double per_mbps = 125;
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(mbps * per_mbps)));
}

}  // namespace

NetworkModel::NetworkModel(const Cluster& cluster, const Topology& topology)
    : cluster_(cluster), topology_(topology) {
  if (!used()) return;
  const std::uint64_t card = bytes_per_ms(cluster.network.card_mbps);
  links_.assign(2 * std::size_t{topology.size()}, card);
  if (cluster.network.uplink_mbps <= 0) return;
  const std::uint64_t uplink = bytes_per_ms(cluster.network.uplink_mbps);
  links_.resize(links_.size() + 2 * topology.racks.size(), uplink);
  for (const auto& members : topology.members) limits_.push_back(uplink / card < members.size());
}

Route NetworkModel::route(NodeIndex from, NodeIndex to) const {
  Route route;
  route.add({.link = 2 * from});
  route.add({.link = 2 * to + 1});
  const std::uint32_t there = topology_.rack[from], here = topology_.rack[to];
  if (there == here) return route;
  if (limits_rack(there)) route.add({.link = up(there)});
  if (limits_rack(here)) route.add({.link = down(here)});
  return route;
}

Route NetworkModel::shuffle_route(NodeIndex to) const {
  Route route;
  const std::uint64_t nodes = topology_.size();
  if (nodes > 1) route.add({.link = 2 * to + 1, .part = nodes - 1, .whole = nodes});
  const std::uint32_t rack = topology_.rack[to];
  const std::uint64_t outside = nodes - topology_.members[rack].size();
  if (limits_rack(rack) && outside > 0) route.add({.link = down(rack), .part = outside, .whole = nodes});
  return route;
}

NodeIndex NetworkModel::nearest(std::span<const NodeIndex> holders, NodeIndex node) const {
  const auto farther = [&](NodeIndex a, NodeIndex b) {
    const auto distance = [&](NodeIndex holder) {
      return std::pair(topology_.rack[holder] != topology_.rack[node], holder);
    };
    return distance(a) < distance(b);
  };
  return *std::min_element(holders.begin(), holders.end(), farther);
}

std::uint64_t NetworkModel::block_of(const Job& job) const {
  const Count bytes = job.input && !job.maps.empty() ? job.input->count / static_cast<Count>(job.maps.size())
                                                     : cluster_.hdfs.block.count;
  return static_cast<std::uint64_t>(std::max<Count>(1, bytes));
}

std::uint64_t NetworkModel::fetchable(const Job& job, std::uint32_t reduce, std::uint32_t maps_done) const {
  const auto bytes = static_cast<std::uint64_t>(job.shuffled->count);
  const std::uint64_t reduces = job.reduces.size(), maps = job.maps.size();
  const std::uint64_t own = bytes / reduces + (reduce < bytes % reduces ? 1 : 0);
  const auto rounds = static_cast<std::uint64_t>(cluster_.network.rounds);
  if (maps_done >= maps) return own;
  return own / rounds * (maps_done * rounds / maps);
}

double NetworkModel::volume(const Job& job) const {
  double bytes = 0;
  if (reads()) bytes += static_cast<double>(block_of(job)) * static_cast<double>(job.maps.size());
  if (shuffles(job)) bytes += static_cast<double>(job.shuffled->count);
  return bytes;
}

}  // namespace wavewright::sim
