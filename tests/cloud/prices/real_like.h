// Price histories like those of a spot market, for tests. None is of the family of the price model
// (cloud/prices/price_model.h): they have memory of more than one change, and other distributions.
#pragma once

#include <cstdint>

#include "wavewright/cloud/prices/price_history.h"

namespace wavewright {

// A hidden regime, calm or scarce, holds for hours to days. Within it the price walks back to the regime's
// level in uneven steps of 0.0001 USD, and changes more often while it is scarce.
[[nodiscard]] PriceHistory regime_prices(std::uint64_t seed, int days);

// The price rests at a floor, leaves it for a few changes in uniform jumps, and now and then spikes to many
// times the floor, for minutes.
[[nodiscard]] PriceHistory floor_prices(std::uint64_t seed, int days);

// Demand against a fixed supply: arrivals and departures of bidders with exponential bids; the price is the
// lowest bid served.
[[nodiscard]] PriceHistory auction_prices(std::uint64_t seed, int days);

}  // namespace wavewright
