// A model of spot prices from stated numbers, where no history is at hand [CLOUD §4.4, reference 13].
//
// Prices at changes and times between changes are mixtures of log-normal components, each given by its
// weight, its median, and the factor of one standard deviation. Neighbouring prices have the given rank
// correlation (a Gaussian copula); times are drawn independently.
#pragma once

#include <vector>

#include "wavewright/cloud/prices/price_model.h"

namespace wavewright {

struct DeclaredPrices {
  struct Part {
    double weight = 1;
    double median = 0;  // USD an hour, or seconds; above 0
    double factor = 1;  // above 1: two thirds of the values are between median / factor and median · factor
  };
  std::vector<Part> prices;
  std::vector<Part> times;
  double least_usd = 0.0001;  // drawn prices are kept between these
  double most_usd = 1;
  double correlation = 0;  // of neighbouring prices, 0 to below 1
};

// Prices are multiples of 0.0001 USD, times of 1 s, up to 30 days. Throws UsageError for numbers out of
// range.
[[nodiscard]] PriceModel declared_price_model(const DeclaredPrices& declared);

}  // namespace wavewright
