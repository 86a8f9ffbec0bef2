// Values of a plan over many draws of a batch: mean and quantiles with 95 % intervals.
#pragma once

#include <cstdint>
#include <span>

namespace wavewright {

enum class RobustMeasure { expected, p95 };

struct IntervalEstimate {
  double value = 0;
  double low = 0, high = 0;  // 95 % interval
};

// The interval of the mean is normal. The interval of a quantile is between the draws of ranks n·q ± 1.96
// √(n·q·(1 − q)), valid for any distribution.
struct SampleSummary {
  IntervalEstimate mean, p50, p95;

  [[nodiscard]] const IntervalEstimate& of(RobustMeasure measure) const {
    return measure == RobustMeasure::expected ? mean : p95;
  }
};

// `draws`: one or more. O(n log n).
[[nodiscard]] SampleSummary summarise(std::span<const double> draws);

// The mean, or the quantile of type 7 (Hyndman and Fan). O(n).
[[nodiscard]] double measure_of(std::span<const double> draws, RobustMeasure measure);

// (measure of `draws` − measure of `base`) / measure of `base`; 0 if the latter is 0. Draw i of both is the
// same batch. The interval is from 1,000 bootstrap resamples of such pairs [Efron 1979]. O(1,000 · n).
[[nodiscard]] IntervalEstimate relative_change(std::span<const double> base, std::span<const double> draws,
                                               RobustMeasure measure, std::uint64_t seed);

}  // namespace wavewright
