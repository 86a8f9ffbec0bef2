// A mixture of Gaussians in one dimension.
#pragma once

#include <vector>

#include "wavewright/core/random.h"

namespace wavewright {

struct Gaussian {
  double weight = 1;
  double mean = 0;
  double deviation = 1;  // above 0

  friend bool operator==(const Gaussian&, const Gaussian&) = default;
};

// P(Z ≤ z) of the standard normal distribution, and its inverse for shares between 0 and 1.
[[nodiscard]] double normal_cumulative(double z);
[[nodiscard]] double normal_quantile(double share);

// All but draw are pure functions; O(components), quantile times about 15.
struct Mixture {
  std::vector<Gaussian> components;  // by mean; weights sum to 1

  [[nodiscard]] double log_density(double x) const;
  [[nodiscard]] double cumulative(double x) const;
  // The inverse of `cumulative`; shares beyond 1e-12 and 1 − 1e-12 are taken as those.
  [[nodiscard]] double quantile(double share) const;
  [[nodiscard]] double mean() const;
  [[nodiscard]] double deviation() const;
  [[nodiscard]] double draw(Random& random) const;

  friend bool operator==(const Mixture&, const Mixture&) = default;
};

}  // namespace wavewright
