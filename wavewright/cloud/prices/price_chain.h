// The Markov chain of prices (cloud/prices/price_model.h): how it is fitted, and draws from it.
#pragma once

#include <cstdint>
#include <span>

#include "wavewright/cloud/prices/price_model.h"
#include "wavewright/core/random.h"

namespace wavewright {

// Equal shares of about a hundredth of the changes each, at least 1 and at most 16 states; then the uppermost
// is halved while its upper half has 16 changes.
[[nodiscard]] std::vector<double> state_ends(std::size_t changes);

// The share of state j after state i under a Gaussian copula, for all i and j. Rows sum to 1.
[[nodiscard]] std::vector<std::vector<double>> copula_rows(const std::vector<double>& ends,
                                                           double correlation);

// O(changes · components + states²).
[[nodiscard]] PriceChain fit_chain(const Margin& price, const Margin& time, std::span<const PriceStep> steps,
                                   std::uint64_t seed);

class DrawnPrices {
 public:
  // `model` must outlive it.
  DrawnPrices(const PriceModel& model, const GenerateOptions& options);

  struct Step {
    Money per_hour;
    Duration lasts{};
  };
  // O(components + states).
  [[nodiscard]] Step next();

 private:
  [[nodiscard]] double next_place();
  [[nodiscard]] Duration next_time(const Mixture& times, double place) const;

  const PriceModel& model_;
  bool independent_;
  Random prices_, times_;
  bool first_ = true;
  double place_ = 0.5;
  double time_score_ = 0;
};

}  // namespace wavewright
