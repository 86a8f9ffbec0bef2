// When the machines of a group are there, by schedule and by spot price, and what they cost meanwhile.
#pragma once

#include <optional>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/cluster/topology.h"
#include "wavewright/core/money.h"

namespace wavewright {

struct Stay {
  Time from{};
  std::optional<Time> to;  // none = for good

  friend bool operator==(const Stay&, const Stay&) = default;
};

// In order, apart from each other: between `join` and `leave`, while the spot price is not above the bid.
// Without any of these one stay from 0 on; none of machines that a policy rents. O(prices).
[[nodiscard]] std::vector<Stay> stays_of(const NodeGroup& group);

// How long one machine of the group is there from `from` to `to`. O(prices).
[[nodiscard]] Duration time_there(const NodeGroup& group, Time from, Time to);

// When each machine is away: out of its group's stays, or in an outage. By node, in order of time, apart from
// each other. O(nodes · prices + outages · log outages).
[[nodiscard]] std::vector<std::vector<Stay>> absences_of(const Cluster& cluster, const Topology& topology);

// What one machine of the group costs up to `end`, USD: the spot price, or price_per_hour, while it is there.
// O(prices).
[[nodiscard]] double cost_of(const NodeGroup& group, Time end);

// Of a group that may be rented: what an hour costs at `at` with a bid, or on demand. O(log prices).
[[nodiscard]] Money hourly_price(const NodeGroup& group, bool with_bid, Time at);
// The first instant from `at` on at which the spot price is above the bid; none = never. O(prices).
[[nodiscard]] std::optional<Time> outbid_from(const NodeGroup& group, Money bid, Time at);

// What a machine costs that was rented from `joined` to `left`. By second: each started second at the price
// of its time. By hour: each started hour at the price at its start; of a machine that was `revoked` the hour
// that the revocation cuts short is free [Amazon EC2's rule for spot instances until 2017].
[[nodiscard]] Money bill(const NodeGroup& group, bool with_bid, Time joined, Time left, bool revoked);

}  // namespace wavewright
