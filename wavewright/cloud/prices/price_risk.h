// What a bid meets in a price history: revocations, time that it holds machines, and the price paid.
//
// A machine is there while the price is at most the bid. It is revoked at each instant at which the price
// rises above the bid, and asked for again as soon as the price is back [CLOUD §4.4].
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "wavewright/cloud/prices/price_history.h"
#include "wavewright/core/quantity.h"

namespace wavewright {

struct BidRisk {
  Money bid;
  Count revocations = 0;
  Duration observed{};         // length of the history
  Duration available{};        // of it, with a price of at most the bid
  double price_micro_usd = 0;  // mean price of an hour while available; 0 if never

  [[nodiscard]] double share_available() const;
  [[nodiscard]] double revocations_per_day() const;
  // 95 % interval of that rate if revocations are a Poisson process [Garwood 1936].
  struct Interval {
    double low = 0, high = 0;
  };
  [[nodiscard]] Interval per_day_interval() const;
  // Available time a revocation: the mean time to the next one if its rate is constant. None without one.
  [[nodiscard]] std::optional<Duration> mean_time_to_revocation() const;
};

// O(points).
[[nodiscard]] BidRisk risk_at(const PriceHistory& history, Money bid);

// Bids worth a look: the prices that hold for at least these shares of the time, each once, ascending.
[[nodiscard]] std::vector<Money> bids_at(const PriceHistory& history, std::span<const double> shares);

}  // namespace wavewright
