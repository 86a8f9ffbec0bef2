#include "wavewright/predict/statistics.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

PhaseStatistics statistics_of(const PhaseProfile& phase) {
  return {static_cast<double>(phase.min.count()), phase.mean_ms, static_cast<double>(phase.max.count()),
          static_cast<double>(phase.smallest_max.count())};
}

PhaseStatistics statistics_of(const std::vector<Duration>& durations) {
  if (durations.empty()) return {};
  const auto [least, most] = std::minmax_element(durations.begin(), durations.end());
  double sum = 0;
  for (const Duration each : durations) sum += static_cast<double>(to_ms(each));
  const auto least_ms = static_cast<double>(to_ms(*least)), most_ms = static_cast<double>(to_ms(*most));
  return {least_ms, std::clamp(sum / static_cast<double>(durations.size()), least_ms, most_ms), most_ms};
}

Count whole(double mean) {
  return mean > 0 ? std::max<Count>(1, std::llround(mean)) : 0;
}

void check(const PhaseStatistics& phase, const std::string& name) {
  const double sure = phase.certain_max_ms();
  // The mean of equal durations may differ from them by rounding.
  const double slack = 1e-9 * std::max(1.0, std::abs(phase.max_ms));
  const bool fine = std::isfinite(phase.min_ms) && std::isfinite(phase.avg_ms) &&
                    std::isfinite(phase.max_ms) && std::isfinite(sure) && phase.min_ms >= 0 &&
                    phase.min_ms <= phase.avg_ms + slack && phase.avg_ms <= phase.max_ms + slack &&
                    sure <= phase.max_ms + slack;
  if (!fine) {
    throw UsageError("the " + name + " durations are not 0 ≤ min ≤ mean ≤ max",
                     "correct the profile's numbers");
  }
}

}  // namespace

JobStatistics statistics_of(const JobProfile& profile) {
  if (profile.runs == 0) {
    throw Infeasible("no successful run of '" + profile.name + "' to predict from",
                     "import histories of successful runs");
  }
  JobStatistics job;
  job.maps = whole(profile.maps_per_run);
  job.reduces = whole(profile.reduces_per_run);
  job.map = statistics_of(profile.map);
  const bool first = !profile.first_shuffle.empty();
  const bool later = !profile.shuffle.empty();
  job.first_shuffle = statistics_of(first ? profile.first_shuffle : profile.shuffle);
  job.shuffle = statistics_of(later ? profile.shuffle : profile.first_shuffle);
  job.reduce = statistics_of(profile.reduce);
  job.overhead_ms = profile.overhead_ms;
  return job;
}

JobStatistics statistics_of(const Job& job) {
  JobStatistics result;
  result.maps = static_cast<Count>(job.maps.size());
  result.reduces = static_cast<Count>(job.reduces.size());
  result.map = statistics_of(job.maps);
  result.first_shuffle = statistics_of(job.first_shuffles);
  result.shuffle = statistics_of(job.shuffles);
  result.reduce = statistics_of(job.reduces);
  return result;
}

void check(const JobStatistics& job) {
  if (job.maps < 0 || job.reduces < 0) throw UsageError("a negative number of tasks", "count them from 0");
  if (!std::isfinite(job.overhead_ms) || job.overhead_ms < 0) {
    throw UsageError("the overhead is not a length of time", "give it in ms, from 0");
  }
  check(job.map, "map");
  check(job.first_shuffle, "first shuffle");
  check(job.shuffle, "later shuffle");
  check(job.reduce, "reduce");
}

}  // namespace wavewright
