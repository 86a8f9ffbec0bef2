#include "wavewright/plan/robust/sample_summary.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "wavewright/core/random.h"

namespace wavewright {

namespace {

constexpr double normal_95 = 1.959964;  // half width of a 95 % interval, in standard deviations
constexpr int resamples = 1'000;

double mean_of(std::span<const double> draws) {
  return std::accumulate(draws.begin(), draws.end(), 0.0) / static_cast<double>(draws.size());
}

// Quantile of type 7.
double quantile_of_sorted(std::span<const double> sorted, double q) {
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

IntervalEstimate quantile_estimate(std::span<const double> sorted, double q) {
  const auto count = static_cast<double>(sorted.size());
  const double half = normal_95 * std::sqrt(count * q * (1 - q));
  const auto at = [&](double rank) {
    return sorted[static_cast<std::size_t>(std::clamp(rank, 1.0, count)) - 1];
  };
  return {quantile_of_sorted(sorted, q), at(std::floor(count * q - half)), at(std::ceil(count * q + half))};
}

}  // namespace

SampleSummary summarise(std::span<const double> draws) {
  std::vector<double> sorted(draws.begin(), draws.end());
  std::sort(sorted.begin(), sorted.end());
  const double mean = mean_of(sorted);
  double squares = 0;
  for (const double draw : sorted) squares += (draw - mean) * (draw - mean);
  const auto count = static_cast<double>(sorted.size());
  const double half = sorted.size() < 2 ? 0 : normal_95 * std::sqrt(squares / (count - 1) / count);
  return {{mean, mean - half, mean + half}, quantile_estimate(sorted, 0.5), quantile_estimate(sorted, 0.95)};
}

double measure_of(std::span<const double> draws, RobustMeasure measure) {
  if (measure == RobustMeasure::expected) return mean_of(draws);
  std::vector<double> part(draws.begin(), draws.end());
  const double place = 0.95 * static_cast<double>(part.size() - 1);
  const auto below = static_cast<std::ptrdiff_t>(place);
  std::nth_element(part.begin(), part.begin() + below, part.end());
  const double low = part[static_cast<std::size_t>(below)];
  if (below + 1 == static_cast<std::ptrdiff_t>(part.size())) return low;
  const double high = *std::min_element(part.begin() + below + 1, part.end());
  return low + (place - static_cast<double>(below)) * (high - low);
}

IntervalEstimate relative_change(std::span<const double> base, std::span<const double> draws,
                                 RobustMeasure measure, std::uint64_t seed) {
  const auto change = [&](std::span<const double> from, std::span<const double> to) {
    const double value = measure_of(from, measure);
    return value == 0 ? 0.0 : measure_of(to, measure) / value - 1;
  };
  Random random(seed, "plan/robust/bootstrap");
  std::vector<double> from(base.size()), to(base.size()), changes;
  for (int round = 0; round < resamples; ++round) {
    for (std::size_t i = 0; i < base.size(); ++i) {
      const std::size_t draw = random.below(base.size());
      from[i] = base[draw];
      to[i] = draws[draw];
    }
    changes.push_back(change(from, to));
  }
  std::sort(changes.begin(), changes.end());
  return {change(base, draws), quantile_of_sorted(changes, 0.025), quantile_of_sorted(changes, 0.975)};
}

}  // namespace wavewright
