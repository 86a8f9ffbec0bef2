// How long a job will take on given slots: every method at once.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "wavewright/predict/bounds.h"
#include "wavewright/predict/calibration.h"
#include "wavewright/predict/percentiles.h"
#include "wavewright/predict/scaling.h"

namespace wavewright {

// Times from submission to finish of the job alone on the slots, in ms, the profile's overhead included.
// The percentiles are simulated with what passes between tasks (start-up of containers, slow-start, commit);
// the closed forms know of the overhead only.
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
  bool input_unused = false;  // an input was asked for, but the runs tell no data to scale by
  Count runs = 0;             // successful runs that it comes from
};

struct PredictionOptions {
  std::uint64_t seed = 1;
  Count replications = 300;
  bool contention = true;  // scale lengths to the slots where the runs tell how (predict/scaling.h)
  bool interval = true;    // look at the runs' own errors for it (predict/calibration.h); else the prior
};

// From finished runs of one job (those that succeeded), scaled to the wanted size. Infeasible where there is
// no successful run, or tasks of a kind and no slots for them; UsageError for numbers that make no sense.
[[nodiscard]] Prediction predict(const std::string& name, std::span<const RunPhases> runs, SlotPool slots,
                                 const RunSize& wanted = {}, const PredictionOptions& options = {});

// The statistics and profile that `predict` uses, for the questions about slots.
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
