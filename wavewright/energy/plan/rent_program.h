// Near the best rents and prices of time, by a linear program over a few kinds of stages.
#pragma once

#include <optional>

#include "wavewright/energy/plan/rents.h"

namespace wavewright {

// Stages that cost nearly alike on all rows, and must run in the same windows, count as one. So the point is
// near the best one only; any point proves a bound. None if there are too many rows, if no rents are best, or
// in the rare case that the simplex method comes to its limit. O((rows + kinds of stages)^2 · steps)
[[nodiscard]] std::optional<Rents::Point> rents_by_linear_program(const Rents& rents, const Cluster& cluster);

}  // namespace wavewright
