// What a rented machine costs from when it joins to when it leaves, by written rules.
//
//   per second        each started second at the price of its time; at least 60 s are paid
//   per started hour  each started hour at the price at its start; the hour that a revocation cuts short is
//   free
//                     [Amazon EC2 until 2017]; an hour that the user ends is paid in full
//
// Each machine's bill is rounded to a micro-dollar, for each time of one price (core/money.h). The boot is
// not billed. A spot machine pays the market price, not its bid.
#pragma once

#include <optional>

#include "wavewright/cloud/prices/price_history.h"
#include "wavewright/cluster/cluster.h"

namespace wavewright {

inline constexpr Duration least_billed = ms(60'000);

// On demand, for a machine that is kept for `time`. O(1).
[[nodiscard]] Money on_demand_bill(Money per_hour, Duration time, Billing billing);

// A spot machine. O(prices between + log prices). Beyond the history's end the last price holds.
[[nodiscard]] Money spot_bill(const PriceHistory& history, Time joined, Time left, bool revoked,
                              Billing billing);

// The first instant from `at` on with a price above the bid; none = not within the history.
[[nodiscard]] std::optional<Time> outbid_from(const PriceHistory& history, Money bid, Time at);

}  // namespace wavewright
