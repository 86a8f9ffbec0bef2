#include "wavewright/sim/experiment/equivalence.h"

#include <cmath>
#include <vector>

#include "wavewright/sim/experiment/sweep.h"

namespace wavewright {

std::optional<Interval> confidence_interval(std::span<const double> values, Scale scale) {
  if (values.size() < 2) return std::nullopt;
  const MeanInterval mean = mean_interval(std::vector<double>(values.begin(), values.end()));
  if (mean.half == 0) return std::nullopt;
  if (scale == Scale::linear) return Interval{mean.mean - mean.half, mean.mean + mean.half};
  // The delta method: the logarithm of the mean has the deviation half / mean.
  const double factor = std::exp(mean.half / mean.mean);
  return Interval{mean.mean / factor, mean.mean * factor};
}

std::optional<Interval> where_mean_is(std::span<const double> values, Scale scale) {
  if (const auto interval = confidence_interval(values, scale)) return interval;
  if (values.size() < fewest_equal) return std::nullopt;
  return Interval{values.front(), values.front()};
}

Verdict equivalence(const std::optional<Interval>& ours, Interval printed, double tolerance) {
  if (!ours) return Verdict::cannot_tell;
  const double low = printed.low - tolerance, high = printed.high + tolerance;
  if (low <= ours->low && ours->high <= high) return Verdict::agrees;
  if (ours->high < low || high < ours->low) return Verdict::differs;
  if (ours->high - ours->low <= tolerance) return Verdict::borderline;
  return Verdict::cannot_tell;
}

}  // namespace wavewright
