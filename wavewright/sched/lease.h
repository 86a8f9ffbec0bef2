// Leases: machines that a policy rents while the cluster runs, and gives back.
//
// A cluster describes groups of machines that may be rented (NodeGroup::rent). A policy asks for n machines
// of a class, on demand or with a bid. Each machine boots in the group's stated time and joins. It leaves
// when it is given back or, with a bid, as soon as the spot price is above the bid: it is revoked. What runs
// on it then is lost. A lease is billed from the moment it joins until it leaves, by second or by started
// hour [CLOUD §4.3].
#pragma once

#include <optional>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/money.h"
#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"
#include "wavewright/sched/event.h"
#include "wavewright/sched/resources.h"

namespace wavewright {

struct LeaseRequest {
  ClassId node_class = 0;
  Count machines = 1;        // 1 or more
  std::optional<Money> bid;  // most that an hour may cost; none = on demand
};

// What a policy may rent of a class now.
struct LeaseOffer {
  Count machines = 0;         // left to rent
  Resources machine;          // of one of them
  Duration boot{};            // from the request until the machine joins
  Money on_demand_per_hour;   // price without a bid
  std::optional<Money> spot;  // present price of an hour with a bid; none = no spot market
  Billing billing = Billing::per_second;
};

// One rented machine, from request to bill.
struct Lease {
  NodeIndex node = 0;
  std::optional<Money> bid;
  Time requested{};
  std::optional<Time> joined = std::nullopt;  // none while it boots, or where the price passed the bid before
  std::optional<Time> left = std::nullopt;    // none while it is there
  bool revoked = false;
  Money cost{};  // up to `left`, or up to the end of the run

  friend bool operator==(const Lease&, const Lease&) = default;
};

}  // namespace wavewright
