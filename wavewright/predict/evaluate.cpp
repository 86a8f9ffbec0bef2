#include "wavewright/predict/evaluate.h"

#include <algorithm>
#include <cmath>

namespace wavewright {

namespace {

std::optional<RunStages> stages_of(const RunPhases& run) {
  if (!run.startup || !run.map_stage || !run.reduce_stage || !run.commit) return std::nullopt;
  const auto whole = [](Duration duration) { return static_cast<double>(duration.count()); };
  return RunStages{whole(*run.startup), whole(*run.map_stage), whole(*run.reduce_stage), whole(*run.commit)};
}

}  // namespace

void Evaluation::add(Evaluation&& other) {
  std::move(other.alone.begin(), other.alone.end(), std::back_inserter(alone));
  std::move(other.shared.begin(), other.shared.end(), std::back_inserter(shared));
  not_predicted += other.not_predicted;
  not_reached += other.not_reached;
}

Evaluation evaluate(const Predictor& predictor, const EvaluationOptions& how) {
  Evaluation all;
  const std::vector<RunPhases>& runs = predictor.runs();
  for (std::size_t i = 0; i < std::min(runs.size(), how.runs_at_most); ++i) {
    const RunPhases& run = runs[i];
    if (run.state != RunState::succeeded) continue;
    if (how.stop.now()) {
      ++all.not_reached;
      continue;
    }
    std::optional<Prediction> predicted = predictor.predict_stored(i, how.hold_out);
    if (!predicted) {
      ++all.not_predicted;
      continue;
    }
    predicted->percentiles.totals_ms = {};
    const auto measured = static_cast<double>(run.measured()->count());
    (predictor.shared(run) ? all.shared : all.alone)
        .push_back({predictor.name(), run.id, measured, *std::move(predicted), stages_of(run)});
  }
  return all;
}

namespace {

void add_stages(MeanAbsoluteError& mean, const RunPrediction& run) {
  if (!run.measured_stages) return;
  const RunStages& told = *run.measured_stages;
  const RunStages& guess = run.predicted.percentiles.stages;
  const auto error = [&](double predicted, double measured) {
    return std::abs(predicted - measured) / run.measured_ms;
  };
  ++mean.staged_runs;
  mean.startup += error(guess.startup_ms, told.startup_ms);
  mean.map_stage += error(guess.map_ms, told.map_ms);
  mean.reduce_stage += error(guess.reduce_ms, told.reduce_ms);
  mean.commit += error(guess.commit_ms, told.commit_ms);
}

}  // namespace

MeanAbsoluteError mean_absolute_error(std::span<const RunPrediction> predictions) {
  MeanAbsoluteError mean;
  if (predictions.empty()) return mean;
  mean.runs = static_cast<Count>(predictions.size());
  const double share = 1.0 / static_cast<double>(predictions.size());
  for (const RunPrediction& run : predictions) {
    const Prediction& predicted = run.predicted;
    mean.low += share * std::abs(run.error(predicted.bounds.low_ms));
    mean.avg += share * std::abs(run.error(predicted.bounds.avg_ms()));
    mean.up += share * std::abs(run.error(predicted.bounds.up_ms));
    mean.wave += share * std::abs(run.error(predicted.wave_ms));
    mean.p50 += share * std::abs(run.error(predicted.percentiles.p50_ms));
    mean.within_bounds += run.within_bounds() ? share : 0;
    mean.bias += share * run.error(predicted.percentiles.p50_ms);
    mean.at_most_p95 += run.measured_ms <= predicted.percentiles.p95_ms ? share : 0;
    mean.within_interval += run.within_interval() ? share : 0;
    add_stages(mean, run);
  }
  const auto staged = static_cast<double>(std::max<Count>(1, mean.staged_runs));
  for (double* stage : {&mean.startup, &mean.map_stage, &mean.reduce_stage, &mean.commit}) *stage /= staged;
  return mean;
}

}  // namespace wavewright
