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

NominalEstimate estimate_of(const Job& job, Kind kind) {
  if (kind == Kind::map) return {mean_and_max(job.maps), {}};
  const Estimate first = mean_and_max(job.first_shuffles), later = mean_and_max(job.shuffles);
  return {mean_and_max(job.reduces), {later.mean, std::max(first.max, later.max)}};
}

}  // namespace wavewright::sim
