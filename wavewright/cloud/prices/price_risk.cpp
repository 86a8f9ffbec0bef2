#include "wavewright/cloud/prices/price_risk.h"

#include <algorithm>

#include <boost/math/distributions/chi_squared.hpp>

namespace wavewright {

namespace {

constexpr double ms_per_day = 86'400'000;

double days(Duration time) {
  return static_cast<double>(to_ms(time)) / ms_per_day;
}

}  // namespace

double BidRisk::share_available() const {
  return observed > Duration{} ? static_cast<double>(to_ms(available)) / static_cast<double>(to_ms(observed))
                               : 0;
}

double BidRisk::revocations_per_day() const {
  return observed > Duration{} ? static_cast<double>(revocations) / days(observed) : 0;
}

BidRisk::Interval BidRisk::per_day_interval() const {
  if (observed <= Duration{}) return {};
  constexpr double tail = 0.025;
  const auto mean_at = [](Count twice, double share) {
    return boost::math::quantile(boost::math::chi_squared(static_cast<double>(twice)), share) / 2;
  };
  return {revocations > 0 ? mean_at(2 * revocations, tail) / days(observed) : 0,
          mean_at(2 * revocations + 2, 1 - tail) / days(observed)};
}

std::optional<Duration> BidRisk::mean_time_to_revocation() const {
  if (revocations == 0) return std::nullopt;
  return ms(to_ms(available) / revocations);
}

BidRisk risk_at(const PriceHistory& history, Money bid) {
  BidRisk risk{.bid = bid, .observed = history.length()};
  double paid = 0;
  for (std::size_t i = 0; i < history.points().size(); ++i) {
    const Money price = history.points()[i].per_hour;
    if (price > bid) {
      if (i > 0 && history.points()[i - 1].per_hour <= bid) ++risk.revocations;
      continue;
    }
    const Duration time = history.until(i) - history.points()[i].from;
    risk.available += time;
    paid += static_cast<double>(price.micro_usd) * static_cast<double>(to_ms(time));
  }
  if (risk.available > Duration{}) risk.price_micro_usd = paid / static_cast<double>(to_ms(risk.available));
  return risk;
}

std::vector<Money> bids_at(const PriceHistory& history, std::span<const double> shares) {
  std::vector<Money> bids;
  bids.reserve(shares.size());
  for (const double share : shares) bids.push_back(history.quantile(share));
  std::sort(bids.begin(), bids.end());
  bids.erase(std::unique(bids.begin(), bids.end()), bids.end());
  return bids;
}

}  // namespace wavewright
