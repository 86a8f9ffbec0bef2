#include "wavewright/profile/open_durations.h"

#include <algorithm>

namespace wavewright {

namespace {

std::optional<DurationRange> range_of(const PhaseProfile& phase) {
  if (phase.empty()) return std::nullopt;
  const auto min = static_cast<double>(to_ms(phase.min)), max = static_cast<double>(to_ms(phase.max));
  return DurationRange{min, std::clamp(phase.mean_ms, min, max), max};  // the mean may be rounded
}

}  // namespace

OpenDurations open_durations(const JobProfile& profile) {
  return {range_of(profile.map), range_of(profile.reduce), range_of(profile.first_shuffle),
          range_of(profile.shuffle)};
}

}  // namespace wavewright
