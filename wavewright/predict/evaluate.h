// Evaluates predictions: each run is predicted from the *other* runs of its job and compared with its
// measured time.
//
// A run is predicted as the Predictor (predict/predictor.h) answers for its own tasks, input and
// configuration, on the slots that it had: the peak of attempts at once, by kind. Measured is
// finish − submit, without deductions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wavewright/core/stop.h"
#include "wavewright/predict/predictor.h"

namespace wavewright {

struct RunPrediction {
  std::string name;
  std::string id;
  double measured_ms = 0;
  Prediction predicted;  // without Percentiles::totals_ms, which are many
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

struct EvaluationOptions {
  HoldOut hold_out = HoldOut::run;
  std::size_t runs_at_most = SIZE_MAX;  // the newest ones; each is predicted from all others
  Stop stop;                            // asked before each run
};

// Runs that had the cluster alone, and runs that shared it. A prediction for a job alone does not include the
// other jobs of a shared cluster.
struct Evaluation {
  std::vector<RunPrediction> alone;
  std::vector<RunPrediction> shared;
  Count not_predicted = 0;  // successful, but without other runs of the name, or without times
  Count not_reached = 0;    // successful; it was stopped before

  void add(Evaluation&& other);
};

// Predicts each successful run from the others, as `predictor` does. O(runs² · their durations).
[[nodiscard]] Evaluation evaluate(const Predictor& predictor, const EvaluationOptions& how = {});

[[nodiscard]] MeanAbsoluteError mean_absolute_error(std::span<const RunPrediction> predictions);

}  // namespace wavewright
