// How good the predictions are: every run predicted from the *other* runs of its job, and held against what
// was measured.
//
// A run is predicted for the tasks and the input that it had, and for the slots that it really had: the peak
// of its attempts at work at once, of each kind. Measured is finish − submit, nothing taken off. Of the
// others those of its own configuration count (profile/groups.h), of any size; all where they are too few.
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
  std::optional<PhaseTimes> measured_stages;

  // (predicted − measured) / measured
  [[nodiscard]] double error(double predicted_ms) const { return (predicted_ms - measured_ms) / measured_ms; }
  [[nodiscard]] bool within_bounds() const {
    return predicted.bounds.low_ms <= measured_ms && measured_ms <= predicted.bounds.up_ms;
  }
  [[nodiscard]] bool within_interval() const {
    return predicted.percentiles.p5_ms <= measured_ms && measured_ms <= predicted.percentiles.p95_ms;
  }
};

// Mean of |error| over predictions; 0 where there are none.
struct MeanAbsoluteError {
  Count runs = 0;
  double low = 0;
  double avg = 0;
  double up = 0;
  double wave = 0;
  double p50 = 0;
  double bias = 0;             // mean of p50's error with its sign
  double within_bounds = 0;    // share of runs
  double at_most_p95 = 0;      // share of runs
  double within_interval = 0;  // share of runs between p5 and p95, which should be 0.9
  // What drives p50's error: mean of |predicted − measured| of each stage over the whole run's measured time,
  // of the runs that tell their stages.
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
  bool comparable = true;  // false: from runs of every configuration
};

// One run from others of its name, which must not contain it. Nothing where the run did not succeed, lacks a
// measured time above 0 or slots, or the others hold no successful run (with reduces, where it has some).
[[nodiscard]] std::optional<RunPrediction> predict_run(const std::string& name, const RunPhases& run,
                                                       std::span<const RunPhases> others,
                                                       const PredictionOptions& options = {});

// Runs that had the cluster alone apart from those that shared it: of the latter a prediction for a job alone
// knows nothing of what else ran.
struct Evaluation {
  std::vector<RunPrediction> alone;
  std::vector<RunPrediction> shared;
  Count not_predicted = 0;  // successful, but without others of their name, or without times
};

// Each successful run of a name from those others that had the cluster alone, for that is what a prediction
// is of; where there are none, from all others. `shared` holds ids. O(runs² · their durations).
[[nodiscard]] Evaluation evaluate(const std::string& name, std::span<const RunPhases> runs,
                                  const std::set<std::string>& shared = {},
                                  const PredictionOptions& options = {}, const EvaluationOptions& how = {});

[[nodiscard]] MeanAbsoluteError mean_absolute_error(std::span<const RunPrediction> predictions);

}  // namespace wavewright
