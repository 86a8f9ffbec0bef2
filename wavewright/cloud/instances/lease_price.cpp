#include "wavewright/cloud/instances/lease_price.h"

#include <algorithm>

namespace wavewright {

namespace {

constexpr Duration second = ms(1'000), hour = ms(3'600'000);

// At least a minute, and whole seconds.
Duration billed_seconds(Duration time) {
  return std::max(least_billed, (time + second - ms(1)) / second * second);
}

std::size_t place_at(const PriceHistory& history, Time at) {
  const auto& points = history.points();
  const auto behind = std::upper_bound(points.begin(), points.end(), at,
                                       [](Time time, const PricePoint& point) { return time < point.from; });
  return behind == points.begin() ? 0 : static_cast<std::size_t>(behind - points.begin()) - 1;
}

}  // namespace

Money on_demand_bill(Money per_hour, Duration time, Billing billing) {
  if (billing == Billing::per_second) return price_of(per_hour, billed_seconds(time));
  const std::int64_t hours = std::max<std::int64_t>(1, (time + hour - ms(1)) / hour);
  return {per_hour.micro_usd * hours};
}

Money spot_bill(const PriceHistory& history, Time joined, Time left, bool revoked, Billing billing) {
  Money cost;
  if (billing == Billing::per_started_hour) {
    const Time end = std::max(left, joined + ms(1));
    for (Time at = joined; at < end; at += hour)
      if (!revoked || at + hour <= end) cost += history.at(at);
    return cost;
  }
  const Time end = joined + billed_seconds(left - joined);
  const auto& points = history.points();
  std::size_t place = place_at(history, joined);
  for (Time at = joined; at < end; ++place) {
    const Time to = place + 1 < points.size() ? std::min(end, points[place + 1].from) : end;
    cost += price_of(points[place].per_hour, to - at);
    at = to;
  }
  return cost;
}

std::optional<Time> outbid_from(const PriceHistory& history, Money bid, Time at) {
  if (history.at(at) > bid) return at;
  for (std::size_t i = place_at(history, at) + 1; i < history.points().size(); ++i)
    if (history.points()[i].per_hour > bid && history.points()[i].from > at) return history.points()[i].from;
  return std::nullopt;
}

}  // namespace wavewright
