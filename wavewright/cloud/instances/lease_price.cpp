#include "wavewright/cloud/instances/lease_price.h"

#include <algorithm>

namespace wavewright {

namespace {

constexpr BillingTerms terms{.least = least_billed};

std::size_t place_at(const PriceHistory& history, Time at) {
  const auto& points = history.points();
  const auto behind = std::upper_bound(points.begin(), points.end(), at,
                                       [](Time time, const PricePoint& point) { return time < point.from; });
  return behind == points.begin() ? 0 : static_cast<std::size_t>(behind - points.begin()) - 1;
}

}  // namespace

Money on_demand_bill(Money per_hour, Duration time, Billing billing) {
  return lease_bill(billing, terms, Time{}, Time{} + time, false,
                    [&](Time) { return HeldPrice{per_hour, std::nullopt}; });
}

Money spot_bill(const PriceHistory& history, Time joined, Time left, bool revoked, Billing billing) {
  const auto& points = history.points();
  return lease_bill(billing, terms, joined, left, revoked, [&](Time at) {
    const std::size_t place = place_at(history, at);
    const bool changes = place + 1 < points.size();
    return HeldPrice{points[place].per_hour, changes ? std::optional(points[place + 1].from) : std::nullopt};
  });
}

std::optional<Time> outbid_from(const PriceHistory& history, Money bid, Time at) {
  if (history.at(at) > bid) return at;
  for (std::size_t i = place_at(history, at) + 1; i < history.points().size(); ++i)
    if (history.points()[i].per_hour > bid && history.points()[i].from > at) return history.points()[i].from;
  return std::nullopt;
}

}  // namespace wavewright
