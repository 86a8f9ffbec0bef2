// Leases: machines that a policy rents and gives back while the cluster runs.
//
// The cluster describes the machines for rent (NodeGroup::rent). A policy asks for n machines of a class, on
// demand or with a bid. Each machine boots for the group's boot time and joins. It leaves when it is given
// back or, with a bid, when the spot price rises above the bid: it is revoked, after the group's notice.
// Attempts on it are then lost.
// A lease is billed from join, or from its request, to leave, by the group's rules [CLOUD §4.3]
// (cluster/lease_bill.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

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
  std::optional<Money> bid;  // most to pay for an hour; none = on demand
};

// Machines of a class that a policy may rent now.
struct LeaseOffer {
  Count machines = 0;         // left to rent
  Resources machine;          // of one machine
  Duration boot{};            // from the request until the machine joins
  Duration notice{};          // from the price above the bid until the machine leaves
  Money on_demand_per_hour;   // price without a bid
  std::optional<Money> spot;  // present spot price of an hour; none = no spot market
  Billing billing = Billing::per_second;
  BillingTerms terms;
};

enum class LeaseEnd : std::uint8_t { policy, market, end_of_run };
[[nodiscard]] constexpr std::string_view name_of(LeaseEnd end) {
  return end == LeaseEnd::policy ? "policy" : end == LeaseEnd::market ? "market" : "end of run";
}

// One rented machine, from request to bill.
struct Lease {
  NodeIndex node = 0;
  std::optional<Money> bid;
  Time requested{};
  std::optional<Time> joined = std::nullopt;  // none while it boots, or if it was revoked before
  std::optional<Time> left = std::nullopt;    // none while it is rented
  // From when on it is paid for: its joining, or its request if the boot is billed; none = it costs nothing.
  std::optional<Time> billed_from = std::nullopt;
  std::optional<Time> noticed = std::nullopt;  // the price passed the bid; nothing starts there any more
  LeaseEnd ended_by = LeaseEnd::end_of_run;
  Money cost{};  // until `left`, or until the end of the run

  [[nodiscard]] bool revoked() const { return ended_by == LeaseEnd::market; }

  friend bool operator==(const Lease&, const Lease&) = default;
};

}  // namespace wavewright
