// Means with their intervals in documents.
#pragma once

#include <cmath>

#include <nlohmann/json.hpp>

#include "wavewright/report/documents/json.h"
#include "wavewright/sim/experiment/sweep.h"

namespace wavewright {

// `half_width` is null for a single value.
[[nodiscard]] inline Json interval_json(const MeanInterval& interval) {
  return {{"mean", interval.mean},
          {"half_width", std::isfinite(interval.half) ? Json(interval.half) : Json(nullptr)}};
}

}  // namespace wavewright
