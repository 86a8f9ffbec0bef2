// What a rented machine costs, by written rules. Simulated leases (cluster/presence.h) and the choice of
// instances (cloud/instances) share them; docs/use/deadlines.md states them for users.
//
//   paid time         from the start of billing until the machine leaves, at least BillingTerms::least
//   per second        each started second at the price of its time; each time of one price is rounded to the
//                     nearest micro-dollar, halves up
//   per started hour  each started hour, counted from the start of billing, at the price at its start
//   revoked           the started hour that the market cuts short is free, unless the terms charge it
//
// A spot machine pays the market price, not its bid.
#pragma once

#include <algorithm>
#include <optional>

#include "wavewright/cluster/cluster.h"
#include "wavewright/core/money.h"
#include "wavewright/core/time.h"

namespace wavewright {

// Least time that Amazon EC2 bills for a machine, by the second.
inline constexpr Duration least_billed = ms(60'000);

// The price that holds at an instant, and until when.
struct HeldPrice {
  Money per_hour;
  std::optional<Time> until;  // none = for good
};

// Cost of one machine that is paid for from `from` on and leaves at `left`. `price_at(Time)` returns the
// HeldPrice of an instant, with an `until` behind it. O(price changes).
template <class PriceAt>
[[nodiscard]] Money lease_bill(Billing billing, const BillingTerms& terms, Time from, Time left, bool revoked,
                               const PriceAt& price_at) {
  constexpr Duration second = ms(1'000), hour = ms(3'600'000);
  const Duration paid = std::max(left - from, terms.least);
  Money cost;
  if (billing == Billing::per_started_hour) {
    const bool free = revoked && !terms.interrupted_hour;
    const auto begun = [&](Duration time) { return (time + hour - ms(1)) / hour; };
    std::int64_t hours = free ? std::max(left - from, Duration{}) / hour : begun(paid);
    for (Time at = from; hours > 0;) {
      const HeldPrice price = price_at(at);
      const std::int64_t held = price.until ? std::min(hours, begun(*price.until - at)) : hours;
      cost += price_of(price.per_hour, held * hour);
      at += held * hour;
      hours -= held;
    }
    return cost;
  }
  const Time end = from + (paid + second - ms(1)) / second * second;
  for (Time at = from; at < end;) {
    const HeldPrice price = price_at(at);
    const Time to = price.until ? std::min(end, *price.until) : end;
    cost += price_of(price.per_hour, to - at);
    at = to;
  }
  return cost;
}

}  // namespace wavewright
