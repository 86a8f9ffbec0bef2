#include "wavewright/sim/model/estimate.h"

#include <algorithm>

namespace wavewright::sim {

namespace {

Estimate mean_and_max(const std::vector<Duration>& durations) {
  if (durations.empty()) return {};
  Duration sum{}, longest{};
  for (const Duration duration : durations) {
    sum += duration;
    longest = std::max(longest, duration);
  }
  return {sum / static_cast<std::int64_t>(durations.size()), longest};
}

}  // namespace

Estimate estimate_of(const Job& job, Kind kind) {
  if (kind == Kind::map) return mean_and_max(job.maps);
  Estimate estimate = mean_and_max(job.reduces);
  const Estimate shuffle = mean_and_max(job.shuffles);
  estimate.mean += shuffle.mean;
  estimate.max += shuffle.max;
  return estimate;
}

}  // namespace wavewright::sim
