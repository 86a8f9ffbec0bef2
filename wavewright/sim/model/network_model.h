// What crosses a simulated cluster's network, which way, and how much of it: maps read blocks that lie
// elsewhere, reduces fetch what their job's maps wrote.
//
// Links: of node n 2n (out) and 2n + 1 (in); behind those of all nodes, of rack r 2r (up) and 2r + 1 (down),
// where uplinks are limited. A reduce fetches from all nodes at once, in one flow: it takes its own card, and
// of its rack's link what comes from the nodes outside.
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
  // Both must outlive it.
  NetworkModel(const Cluster& cluster, const Topology& topology);

  [[nodiscard]] bool used() const { return reads() || cluster_.network.shuffle; }
  [[nodiscard]] bool reads() const { return cluster_.reads.kind == Reads::Kind::network; }
  // Whether the job's reduces fetch over the network; of a job whose shuffled bytes nobody knows they do not.
  [[nodiscard]] bool shuffles(const Job& job) const {
    return cluster_.network.shuffle && job.shuffled.has_value();
  }

  [[nodiscard]] const std::vector<std::uint64_t>& links() const { return links_; }  // bytes a ms
  [[nodiscard]] Route route(NodeIndex from, NodeIndex to) const;                    // of two nodes
  [[nodiscard]] Route shuffle_route(NodeIndex to) const;
  // Of those that hold a block, not empty: in the node's rack where one is; the lowest-numbered.
  [[nodiscard]] NodeIndex nearest(std::span<const NodeIndex> holders, NodeIndex node) const;

  // Bytes that each map reads: the job's input in equal parts, or a block where that is not known; from 1.
  [[nodiscard]] std::uint64_t block_of(const Job& job) const;
  // Bytes that the reduce can have fetched once so many maps are done: its part of what is shuffled, in
  // rounds.
  [[nodiscard]] std::uint64_t fetchable(const Job& job, std::uint32_t reduce, std::uint32_t maps_done) const;
  // From the end of a reduce's last transfer to its work.
  [[nodiscard]] Duration overhead() const { return cluster_.network.overhead; }
  // Bytes that the job moves at most, an attempt a task.
  [[nodiscard]] double volume(const Job& job) const;

 private:
  [[nodiscard]] bool limits_racks() const { return cluster_.network.uplink_mbps > 0; }
  [[nodiscard]] std::uint32_t up(std::uint32_t rack) const { return 2 * (topology_.size() + rack); }
  [[nodiscard]] std::uint32_t down(std::uint32_t rack) const { return up(rack) + 1; }

  const Cluster& cluster_;
  const Topology& topology_;
  std::vector<std::uint64_t> links_;
};

}  // namespace wavewright::sim
