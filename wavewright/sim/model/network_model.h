// Traffic on a simulated cluster's network: maps read blocks from other nodes, reduces fetch map outputs.
//
// Links: node n has 2n (out) and 2n + 1 (in). If uplinks are limited, rack r has 2r (up) and 2r + 1 (down),
// counted from the end of all nodes' links. A reduce fetches from all nodes at once, in one flow: on its
// node's card the part from other nodes, on its rack's link the part from nodes outside. Links of racks whose
// cards cannot fill them are left out of routes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wavewright/cluster/topology.h"
#include "wavewright/job/job.h"
#include "wavewright/sched/policy.h"
#include "wavewright/sim/kernel/flow_network.h"

namespace wavewright::sim {

class NetworkModel {
 public:
  // Both arguments must outlive it.
  NetworkModel(const Cluster& cluster, const Topology& topology);

  [[nodiscard]] bool used() const { return reads() || cluster_.network.shuffle; }
  [[nodiscard]] bool reads() const { return cluster_.reads.kind == Reads::Kind::network; }
  // True if the job's reduces fetch over the network; false if the job's shuffled bytes are not known.
  [[nodiscard]] bool shuffles(const Job& job) const {
    return cluster_.network.shuffle && job.shuffled.has_value();
  }

  [[nodiscard]] const std::vector<std::uint64_t>& links() const { return links_; }  // bytes/ms
  [[nodiscard]] Route route(NodeIndex from, NodeIndex to) const;
  // Without a link if the node is the only one: nothing crosses its card.
  [[nodiscard]] Route shuffle_route(NodeIndex to) const;
  // The lowest-numbered holder in the node's rack, or else of all. `holders` must not be empty.
  [[nodiscard]] NodeIndex nearest(std::span<const NodeIndex> holders, NodeIndex node) const;

  // Bytes per map, at least 1: an equal part of the job's input, or a block if the input is not known.
  [[nodiscard]] std::uint64_t block_of(const Job& job) const;
  // Bytes that the reduce can have fetched after `maps_done` maps: its part of the shuffled bytes, in rounds.
  [[nodiscard]] std::uint64_t fetchable(const Job& job, std::uint32_t reduce, std::uint32_t maps_done) const;
  // Time from the end of a reduce's last transfer to its work.
  [[nodiscard]] Duration overhead() const { return cluster_.network.overhead; }
  // Upper bound of the bytes that the job moves, with one attempt per task.
  [[nodiscard]] double volume(const Job& job) const;

 private:
  [[nodiscard]] bool limits_rack(std::uint32_t rack) const { return !limits_.empty() && limits_[rack]; }
  [[nodiscard]] std::uint32_t up(std::uint32_t rack) const { return 2 * (topology_.size() + rack); }
  [[nodiscard]] std::uint32_t down(std::uint32_t rack) const { return up(rack) + 1; }

  const Cluster& cluster_;
  const Topology& topology_;
  std::vector<std::uint64_t> links_;
  std::vector<bool> limits_;  // by rack: its uplink is slower than its nodes' cards together
};

}  // namespace wavewright::sim
