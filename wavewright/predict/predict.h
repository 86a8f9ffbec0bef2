// Predicts how long a job takes on given slots, by every method at once.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "wavewright/predict/bounds.h"
#include "wavewright/predict/calibration.h"
#include "wavewright/predict/percentiles.h"
#include "wavewright/predict/run_choice.h"
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
  LeftOutCounts left_out;     // told by the Predictor (predict/predictor.h)
  bool shared_used = false;   // RunChoice::shared_used
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

// The same for many numbers of slots: the calibration, which does not depend on them, is computed once.
class PreparedPrediction {
 public:
  // `runs` must outlive it. Throws UsageError for an impossible size.
  PreparedPrediction(std::string name, std::span<const RunPhases> runs, const RunSize& wanted,
                     const PredictionOptions& options);

  [[nodiscard]] Prediction at(SlotPool slots) const;               // throws as `predict`
  [[nodiscard]] Percentiles percentiles_at(SlotPool slots) const;  // of it; throws as `predict`
  // The same for one formula, in ms.
  [[nodiscard]] double formula_at(SlotPool slots, TimeModel model) const;
  // Do lengths depend on the slots (predict/scaling.h)?
  [[nodiscard]] bool contention() const { return contention_; }
  [[nodiscard]] Count maps() const { return maps_; }
  [[nodiscard]] Count reduces() const { return reduces_; }

 private:
  [[nodiscard]] RunSize size_on(SlotPool slots) const;
  [[nodiscard]] Percentiles simulated(std::span<const RunPhases> scaled, SlotPool slots) const;

  std::string name_;
  std::span<const RunPhases> runs_;
  RunSize wanted_;
  PredictionOptions options_;
  Calibration calibration_;
  Count maps_ = 0;
  Count reduces_ = 0;
  bool contention_ = false;
};

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
