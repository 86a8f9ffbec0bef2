#include "wavewright/predict/evaluate.h"

#include <algorithm>
#include <cmath>

#include "wavewright/profile/groups.h"

namespace wavewright {

namespace {

bool has_its_slots(const RunPhases& run) {
  return (run.maps == 0 || run.slots.map_slots > 0) && (run.reduces == 0 || run.slots.reduce_slots > 0);
}

// Do the others have every kind of task that the run has?
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

std::optional<RunStages> stages_of(const RunPhases& run) {
  if (!run.startup || !run.map_stage || !run.reduce_stage || !run.commit) return std::nullopt;
  const auto whole = [](Duration duration) { return static_cast<double>(duration.count()); };
  return RunStages{whole(*run.startup), whole(*run.map_stage), whole(*run.reduce_stage), whole(*run.commit)};
}

// The runs from which this one may be predicted; with `alone_only` without those that shared the cluster.
std::vector<RunPhases> others_of(std::size_t place, std::span<const RunPhases> runs,
                                 const std::set<std::string>& shared, bool alone_only, HoldOut hold_out) {
  std::vector<RunPhases> others;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i == place || (alone_only && shared.contains(runs[i].id))) continue;
    if (hold_out == HoldOut::size && size_class(runs[i]) == size_class(runs[place])) continue;
    others.push_back(runs[i]);
  }
  return others;
}

}  // namespace

std::optional<RunPrediction> predict_run(const std::string& name, const RunPhases& run,
                                         std::span<const RunPhases> others,
                                         const PredictionOptions& options) {
  const std::optional<Duration> measured = run.measured();
  if (run.state != RunState::succeeded || !measured || *measured <= Duration{}) return std::nullopt;
  if (!has_its_slots(run) || !can_be_predicted(run, others)) return std::nullopt;
  RunSize size = {.input = run.map_input, .maps = run.maps, .reduces = run.reduces};
  if (size.input && size.input->count <= 0) size.input.reset();  // a job that reads nothing
  return RunPrediction{name, run.id, static_cast<double>(measured->count()),
                       predict(name, others, run.slots, size, options), stages_of(run)};
}

Evaluation evaluate(const std::string& name, std::span<const RunPhases> runs,
                    const std::set<std::string>& shared, const PredictionOptions& options,
                    const EvaluationOptions& how) {
  Evaluation all;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].state != RunState::succeeded) continue;
    std::optional<RunPrediction> predicted;
    for (const bool alone_only : {true, false}) {
      std::vector<RunPhases> others = others_of(i, runs, shared, alone_only, how.hold_out);
      if (how.comparable) others = comparable_runs(others, runs[i]);
      if (!predicted) predicted = predict_run(name, runs[i], others, options);
    }
    if (!predicted) {
      ++all.not_predicted;
    } else {
      (shared.contains(runs[i].id) ? all.shared : all.alone).push_back(*std::move(predicted));
    }
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
