// When the machines of a group are there, by schedule and by spot price, and what they cost meanwhile.
#pragma once

#include <optional>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/cluster/topology.h"

namespace wavewright {

struct Stay {
  Time from{};
  std::optional<Time> to;  // none = for good

  friend bool operator==(const Stay&, const Stay&) = default;
};

// In order, apart from each other: between `join` and `leave`, while the spot price is not above the bid.
// Without any of these one stay from 0 on. O(prices).
[[nodiscard]] std::vector<Stay> stays_of(const NodeGroup& group);

// How long one machine of the group is there from `from` to `to`. O(prices).
[[nodiscard]] Duration time_there(const NodeGroup& group, Time from, Time to);

// When each machine is away: out of its group's stays, or in an outage. By node, in order of time, apart from
// each other. O(nodes · prices + outages · log outages).
[[nodiscard]] std::vector<std::vector<Stay>> absences_of(const Cluster& cluster, const Topology& topology);

// What one machine of the group costs up to `end`, USD: the spot price, or price_per_hour, while it is there.
// O(prices).
[[nodiscard]] double cost_of(const NodeGroup& group, Time end);

}  // namespace wavewright
