// A mixture of Gaussians for whole numbers that are positive: prices in micro-dollars, times in ms.
//
// Prices and times are recorded in whole steps (0.0001 USD, 1 s), so that values repeat. A value x stands for
// the interval (x − step/2, x + step/2): distances and places take that into account.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "wavewright/cloud/prices/mixture_fit.h"

namespace wavewright {

enum class MixtureScale : std::uint8_t {
  log,    // the logarithms are a mixture: no value is negative, and a spike is not far from the rest
  linear  // the values themselves, as in [CLOUD, reference 13]; what falls below the least seen is put there
};
[[nodiscard]] std::string to_string(MixtureScale scale);
[[nodiscard]] MixtureScale parse_mixture_scale(const std::string& name);  // throws UsageError

struct Margin {
  MixtureScale scale = MixtureScale::log;
  Mixture mixture;
  std::int64_t step = 1;   // of the record: every value is a multiple
  std::int64_t least = 1;  // seen; drawn values are kept between these
  std::int64_t most = 1;

  // P(value ≤ x), with x real. O(components).
  [[nodiscard]] double cumulative(double x) const;
  // A place in (0, 1) within the interval that the value stands for; `within` in [0, 1). Places of values
  // that the margin fits are uniform. O(components).
  [[nodiscard]] double place_of(std::int64_t value, double within) const;
  // The value at a place under `from`, this mixture or one on the same scale. O(components).
  [[nodiscard]] std::int64_t value_at(double place, const Mixture& from) const;
  // The value on the scale of the mixture.
  [[nodiscard]] double scaled(double value) const;

  friend bool operator==(const Margin&, const Margin&) = default;
};

struct MarginFit {
  Margin margin;
  MixtureFit fit;
  std::vector<MixtureChoice::Tried> tried;  // if the number of components was chosen
};

struct MarginOptions {
  MixtureScale scale = MixtureScale::log;
  std::size_t components = 0;  // 0 = chosen by BIC, up to `most_components`
  std::size_t most_components = 8;
  std::int64_t coarsest_step = 1;  // the step of the record is a divisor of this
  std::uint64_t seed = 1;
};

// Throws UsageError without values, or for a value that is not positive on a logarithmic scale.
[[nodiscard]] MarginFit fit_margin(std::span<const std::int64_t> values, const MarginOptions& options);
// The same number of components fitted to other values from this margin on; steps and limits stay.
[[nodiscard]] Margin refit(const Margin& margin, std::span<const std::int64_t> values);

// The largest distance between the shares of values up to x and the margin's [Kolmogorov 1933], for values in
// whole steps. 0 to 1. O(values · log values + distinct values · components).
[[nodiscard]] double distance_of(const Margin& margin, std::span<const std::int64_t> values);

}  // namespace wavewright
