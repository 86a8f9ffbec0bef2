// What a plan is worth where it was tried on many draws of a batch: means and quantiles with their 95 %
// intervals.
#pragma once

#include <cstdint>
#include <span>

namespace wavewright {

enum class RobustMeasure { expected, p95 };

struct IntervalEstimate {
  double value = 0;
  double low = 0, high = 0;  // 95 % interval
};

// Of the mean: normal. Of quantiles: between the draws of ranks n·q ± 1.96 √(n·q·(1 − q)), whatever the
// distribution.
struct SampleSummary {
  IntervalEstimate mean, p50, p95;

  [[nodiscard]] const IntervalEstimate& of(RobustMeasure measure) const {
    return measure == RobustMeasure::expected ? mean : p95;
  }
};

// Of one draw or more. O(n log n).
[[nodiscard]] SampleSummary summarise(std::span<const double> draws);

// Quantile of type 7 (Hyndman and Fan) or mean. O(n).
[[nodiscard]] double measure_of(std::span<const double> draws, RobustMeasure measure);

// (of `draws` − of `base`) / of `base`, where draw i of both is of the same batch, with the interval of 1,000
// bootstrap resamples of such pairs [Efron 1979]; 0 where the base is 0. O(1,000 · n).
[[nodiscard]] IntervalEstimate relative_change(std::span<const double> base, std::span<const double> draws,
                                               RobustMeasure measure, std::uint64_t seed);

}  // namespace wavewright
