#include "wavewright/predict/evaluate.h"

#include <cmath>

namespace wavewright {

namespace {

bool has_its_slots(const RunPhases& run) {
  return (run.maps == 0 || run.slots.map_slots > 0) && (run.reduces == 0 || run.slots.reduce_slots > 0);
}

// Whether the others show every kind of task that the run has.
bool can_be_predicted(const RunPhases& run, std::span<const RunPhases> others) {
  bool any = false;
  bool reduces = run.reduces == 0;
  for (const RunPhases& other : others) {
    if (other.state != RunState::succeeded) continue;
    any = true;
    reduces = reduces || !other.reduce.empty();
  }
  return any && reduces;
}

}  // namespace

std::optional<RunPrediction> predict_run(const std::string& name, const RunPhases& run,
                                         std::span<const RunPhases> others,
                                         const PredictionOptions& options) {
  const std::optional<Duration> measured = run.measured();
  if (run.state != RunState::succeeded || !measured || *measured <= Duration{}) return std::nullopt;
  if (!has_its_slots(run) || !can_be_predicted(run, others)) return std::nullopt;
  const RunSize size = {.input = run.map_input, .maps = run.maps, .reduces = run.reduces};
  return RunPrediction{name, run.id, static_cast<double>(measured->count()),
                       predict(name, others, run.slots, size, options)};
}

Evaluation evaluate(const std::string& name, std::span<const RunPhases> runs,
                    const std::set<std::string>& shared, const PredictionOptions& options) {
  Evaluation all;
  std::vector<RunPhases> others(runs.begin(), runs.end());
  std::vector<RunPhases> alone = others;
  for (RunPhases& run : alone) {
    if (shared.contains(run.id)) run = RunPhases{};  // of unknown state: in no profile
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].state != RunState::succeeded) continue;
    const RunPhases kept = alone[i];
    others[i] = alone[i] = RunPhases{};
    auto predicted = predict_run(name, runs[i], alone, options);
    if (!predicted) predicted = predict_run(name, runs[i], others, options);
    others[i] = runs[i];
    alone[i] = kept;
    if (!predicted) {
      ++all.not_predicted;
    } else {
      (shared.contains(runs[i].id) ? all.shared : all.alone).push_back(*std::move(predicted));
    }
  }
  return all;
}

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
    mean.at_most_p95 += run.measured_ms <= predicted.percentiles.p95_ms ? share : 0;
  }
  return mean;
}

}  // namespace wavewright
