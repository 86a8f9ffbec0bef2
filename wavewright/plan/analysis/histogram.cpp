#include "wavewright/plan/analysis/histogram.h"

#include <algorithm>
#include <cmath>

namespace wavewright {

namespace {

// The largest edge + k · step, k any integer, that is below `value`.
Duration start_below(Duration value, Duration edge, Duration step) {
  const std::int64_t distance = (value - edge).count() - 1;
  const std::int64_t steps = distance / step.count() - (distance % step.count() < 0 ? 1 : 0);
  return edge + steps * step;
}

}  // namespace

Histogram histogram_of(const std::vector<Duration>& sorted, std::optional<Duration> edge) {
  const auto n = static_cast<double>(sorted.size());
  const Duration least = sorted.front(), most = sorted.back();
  const Duration middle = sorted[sorted.size() * 3 / 4] - sorted[sorted.size() / 4];
  const double usual = 2 * static_cast<double>(middle.count()) / std::cbrt(n);
  // One bin is spare, because the edge decides where the bins begin.
  const double narrowest = static_cast<double>((most - least).count() + 1) / (most_bins - 1);
  Histogram histogram;
  histogram.step = ms(std::max<std::int64_t>(1, std::llround(std::ceil(std::max(usual, narrowest)))));
  histogram.above = start_below(least, edge.value_or(least - ms(1)), histogram.step);
  for (const Duration value : sorted) {
    const auto bin = static_cast<std::size_t>((value - histogram.above - ms(1)) / histogram.step);
    if (bin >= histogram.counts.size()) histogram.counts.resize(bin + 1, 0);
    ++histogram.counts[bin];
  }
  return histogram;
}

}  // namespace wavewright
