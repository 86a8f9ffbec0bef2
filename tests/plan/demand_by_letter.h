// What a job asks for by the letter of bounds/demand_bound.h, ms of slot time, if its maps end at `end`.
#pragma once

#include <algorithm>

#include "wavewright/plan/bounds/demand_bound.h"

namespace wavewright {

// Of its maps, before t.
inline double maps_before(const DemandJob& job, double end, double t) {
  double sum = 0, behind = 0;
  for (std::size_t i = job.maps.size(); i-- > 0;) {
    const auto length = static_cast<double>(job.maps[i]);
    behind = std::max(behind, length);
    sum += std::clamp(behind - (end - t), 0.0, length);
  }
  return sum;
}

// Of its reduces, from t on.
inline double reduces_after(const DemandJob& job, double end, double t) {
  double sum = 0;
  for (const std::int64_t each : job.reduces) {
    const auto length = static_cast<double>(each);
    sum += std::clamp(length - (t - end), 0.0, length);
  }
  return sum;
}

}  // namespace wavewright
