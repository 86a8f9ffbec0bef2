// What an instance of Amazon EC2 costs from when it joins to when it leaves: the rules of
// cluster/lease_bill.h, with at least 60 s paid and the interrupted hour free [Amazon EC2 until 2017]. The
// boot is not billed.
#pragma once

#include <optional>

#include "wavewright/cloud/prices/price_history.h"
#include "wavewright/cluster/lease_bill.h"

namespace wavewright {

// On demand, for a machine that is kept for `time`. O(1).
[[nodiscard]] Money on_demand_bill(Money per_hour, Duration time, Billing billing);

// A spot machine. O(prices between + log prices). Beyond the history's end the last price holds.
[[nodiscard]] Money spot_bill(const PriceHistory& history, Time joined, Time left, bool revoked,
                              Billing billing);

// The first instant from `at` on with a price above the bid; none = not within the history.
[[nodiscard]] std::optional<Time> outbid_from(const PriceHistory& history, Money bid, Time at);

}  // namespace wavewright
