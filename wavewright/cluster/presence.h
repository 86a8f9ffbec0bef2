// When the machines of a group are present, by schedule and spot price, and what they cost.
#pragma once

#include <optional>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/cluster/topology.h"
#include "wavewright/core/money.h"

namespace wavewright {

struct Stay {
  Time from{};
  std::optional<Time> to;  // none = forever

  friend bool operator==(const Stay&, const Stay&) = default;
};

// Disjoint stays in order: between `join` and `leave`, while the spot price is not above the bid. One stay
// from 0 on if the group has none of these; no stay if a policy rents the machines. O(prices).
[[nodiscard]] std::vector<Stay> stays_of(const NodeGroup& group);

// Time that one machine of the group is present between `from` and `to`. O(prices).
[[nodiscard]] Duration time_there(const NodeGroup& group, Time from, Time to);

// By node, the times at which it is away: outside its group's stays, or in an outage. Disjoint, in order of
// time. O(nodes · prices + outages · log outages).
[[nodiscard]] std::vector<std::vector<Stay>> absences_of(const Cluster& cluster, const Topology& topology);

// Cost in USD of one machine up to `end`: the spot price or price_per_hour while present. O(prices).
[[nodiscard]] double cost_of(const NodeGroup& group, Time end);

// Price of one hour at `at`, with a bid or on demand; for a group that may be rented. O(log prices).
[[nodiscard]] Money hourly_price(const NodeGroup& group, bool with_bid, Time at);
// First instant from `at` on with a spot price above the bid; none = never. O(prices after it).
[[nodiscard]] std::optional<Time> outbid_from(const NodeGroup& group, Money bid, Time at);

// Cost of a machine of the group that is paid for from `from` (joining, or its request if the boot is billed)
// until it leaves, by the rules of cluster/lease_bill.h. O(price changes, or hours, times log prices).
[[nodiscard]] Money bill(const NodeGroup& group, bool with_bid, Time from, Time left, bool revoked);

}  // namespace wavewright
