// Predicts how long a job takes on given slots, by every method at once.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "wavewright/predict/bounds.h"
#include "wavewright/predict/calibration.h"
#include "wavewright/predict/percentiles.h"
#include "wavewright/predict/scaling.h"

namespace wavewright {

// Times in ms from submission to finish of the job alone on the slots, with its overhead. The percentiles
// simulate times between tasks (start-up of containers, slow-start, commit); closed forms have the overhead
// only.
struct Prediction {
  JobStatistics job;
  SlotPool slots;
  Bounds bounds;  // low, avg, up [HP]
  double wave_ms = 0;
  double simple_ms = 0;
  Percentiles percentiles;
  ScalingMethod scaling = ScalingMethod::none;
  Calibration calibration;
  bool contention = false;    // lengths were scaled to these slots
  bool input_unused = false;  // an input was given, but the runs have no data to scale by
  Count runs = 0;             // successful runs used
};

struct PredictionOptions {
  std::uint64_t seed = 1;
  Count replications = 300;
  bool contention = true;  // scale lengths to the slots if the runs allow it (predict/scaling.h)
  bool interval = true;    // calibrate by the runs' own errors (predict/calibration.h); else by the prior
};

// Predicts from the successful runs of one job, scaled to the wanted size. Throws Infeasible if there is no
// successful run, or tasks of a kind without slots; UsageError for impossible numbers.
[[nodiscard]] Prediction predict(const std::string& name, std::span<const RunPhases> runs, SlotPool slots,
                                 const RunSize& wanted = {}, const PredictionOptions& options = {});

// Statistics and profile used by `predict`, for the questions about slots.
struct ScaledProfile {
  std::vector<RunPhases> runs;  // successful, scaled
  JobProfile profile;
  JobStatistics job;
  ScalingMethod scaling = ScalingMethod::none;
  bool contention = false;
};
[[nodiscard]] ScaledProfile scaled_profile(const std::string& name, std::span<const RunPhases> runs,
                                           const RunSize& wanted, std::uint64_t seed = 1);

}  // namespace wavewright
