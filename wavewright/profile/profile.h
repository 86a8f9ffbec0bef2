// Builds a job's profile from its finished runs [CLOUD §3.2–3.3, HP §II-B].
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "wavewright/job/profile.h"
#include "wavewright/profile/run_phases.h"

namespace wavewright {

// Pools runs into a profile. Phases, sizes and overhead are of successful runs; attempts count over all.
// `seed` samples phases with too many durations. O(durations · log durations).
[[nodiscard]] JobProfile build_profile(const std::string& name, std::span<const RunPhases> runs,
                                       std::uint64_t seed = 1);

// A phase from durations in any order; `smallest_max` becomes their maximum.
[[nodiscard]] PhaseProfile profile_of(std::vector<Duration> durations, std::uint64_t seed = 1);

// How much a quantity varies between a job's successful runs [CLOUD §3.6.1].
struct Spread {
  Count runs = 0;
  double mean = 0;
  double deviation = 0;  // sample standard deviation; 0 for one run
  double min = 0;
  double max = 0;

  // Coefficient of variation, deviation / mean; 0 if the mean is 0.
  [[nodiscard]] double relative() const { return mean > 0 ? deviation / mean : 0; }
};

struct Stability {
  Spread map_ms;  // of the runs' mean durations
  Spread first_shuffle_ms;
  Spread shuffle_ms;
  Spread reduce_ms;
  Spread measured_ms;  // finish − submit
  Spread map_waves;    // ⌈maps / slots of the run⌉
  Spread reduce_waves;
};

[[nodiscard]] Spread spread_of(std::span<const double> values);
[[nodiscard]] Stability stability_of(std::span<const RunPhases> runs);

}  // namespace wavewright
