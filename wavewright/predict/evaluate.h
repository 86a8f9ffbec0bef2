// Evaluates predictions: each run is predicted from the *other* runs of its job and compared with its
// measured time.
//
// A run is predicted for its own tasks and input, and for the slots that it had: the peak of attempts at
// once, by kind. Measured is finish − submit, without deductions. Of the other runs those with the same
// configuration (profile/groups.h) are used, of any size; all if these are too few.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "wavewright/predict/predict.h"

namespace wavewright {

struct RunPrediction {
  std::string name;
  std::string id;
  double measured_ms = 0;
  Prediction predicted;
  std::optional<RunStages> measured_stages;

  // (predicted − measured) / measured
  [[nodiscard]] double error(double predicted_ms) const { return (predicted_ms - measured_ms) / measured_ms; }
  [[nodiscard]] bool within_bounds() const {
    return predicted.bounds.low_ms <= measured_ms && measured_ms <= predicted.bounds.up_ms;
  }
  [[nodiscard]] bool within_interval() const {
    return predicted.percentiles.p5_ms <= measured_ms && measured_ms <= predicted.percentiles.p95_ms;
  }
};

// Means over predictions; 0 if there are none.
struct MeanAbsoluteError {
  Count runs = 0;
  double low = 0;
  double avg = 0;
  double up = 0;
  double wave = 0;
  double p50 = 0;
  double bias = 0;             // mean of p50's signed error
  double within_bounds = 0;    // share of runs
  double at_most_p95 = 0;      // share of runs
  double within_interval = 0;  // share of runs between p5 and p95; ideally 0.9
  // Parts of p50's error: mean of |predicted − measured| of a stage / measured time, over runs with stages.
  Count staged_runs = 0;
  double startup = 0;
  double map_stage = 0;
  double reduce_stage = 0;
  double commit = 0;
};

enum class HoldOut : std::uint8_t {
  run,  // predict a run from all others
  size  // from those of other sizes only (profile/groups.h)
};

struct EvaluationOptions {
  HoldOut hold_out = HoldOut::run;
  bool comparable = true;  // false: use runs of every configuration
};

// Predicts one run from others of its name, which must not include it. Nothing if the run did not succeed,
// has no slots or no positive measured time, or if the others lack a successful run (with reduces, if it has
// some).
[[nodiscard]] std::optional<RunPrediction> predict_run(const std::string& name, const RunPhases& run,
                                                       std::span<const RunPhases> others,
                                                       const PredictionOptions& options = {});

// Runs that had the cluster alone, and runs that shared it. A prediction for a job alone does not include the
// other jobs of a shared cluster.
struct Evaluation {
  std::vector<RunPrediction> alone;
  std::vector<RunPrediction> shared;
  Count not_predicted = 0;  // successful, but without other runs of the name, or without times
};

// Predicts each successful run from the other runs that had the cluster alone, as predictions are for a job
// alone; from all others if there are none. `shared` has the ids of runs that shared it. O(runs² · their
// durations).
[[nodiscard]] Evaluation evaluate(const std::string& name, std::span<const RunPhases> runs,
                                  const std::set<std::string>& shared = {},
                                  const PredictionOptions& options = {}, const EvaluationOptions& how = {});

[[nodiscard]] MeanAbsoluteError mean_absolute_error(std::span<const RunPrediction> predictions);

}  // namespace wavewright
