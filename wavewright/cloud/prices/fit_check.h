// Tests whether a price model holds: by parametric bootstrap, and on changes that it was not fitted to.
//
// The distance is Kolmogorov's, between a mixture and the values in their whole steps. Its usual table says
// nothing here: the mixture was fitted to the same values, the values repeat, and neighbours resemble each
// other. So the distance is compared with that of histories drawn from the model, each as long, rounded
// alike, dependent alike, and with mixtures fitted to them in the same way [Efron 1979; Stute and others
// 1993].
//
//   fitted  the distance to the values that the mixture was fitted to
//   held    the mixture is fitted to the first part of the changes; the distance to the rest
#pragma once

#include <cstdint>

#include "wavewright/cloud/prices/price_model.h"
#include "wavewright/core/quantity.h"
#include "wavewright/core/stop.h"

namespace wavewright {

struct DistanceCheck {
  double distance = 0;
  double usual = 0;  // median distance of drawn histories
  double p = 1;      // share of drawn histories, and this one, that are at least as far
  Count drawn = 0;
  Count values = 0;

  [[nodiscard]] bool rejected(double level) const { return p <= level; }
};

struct FitCheckOptions {
  PriceModelOptions model;
  double held_back = 0.3;  // share of the changes, the latest; above 0 and below 1
  Count drawn = 199;
  std::uint64_t seed = 1;
  Stop stop;  // asked before each drawn history
};

struct FitCheck {
  DistanceCheck price, time;            // to the fitted values
  DistanceCheck held_price, held_time;  // to those held back
};

// Throws UsageError as fit_price_model does, also if the part that is not held back is too short. O(drawn ·
// a fit from the model on).
[[nodiscard]] FitCheck check_fit(const PriceHistory& history, const PriceModel& model,
                                 const FitCheckOptions& options = {});

}  // namespace wavewright
