#include "wavewright/predict/predict.h"

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/profile/profile.h"

namespace wavewright {

ScaledProfile scaled_profile(const std::string& name, std::span<const RunPhases> runs, const RunSize& wanted,
                             std::uint64_t seed) {
  ScaledRuns scaled = scale_runs(runs, wanted);
  ScaledProfile made;
  made.profile = build_profile(name, scaled.runs, seed);
  made.job = statistics_of(made.profile);
  made.job.maps = scaled.maps;
  made.job.reduces = scaled.reduces;
  made.scaling = scaled.method;
  made.contention = scaled.contention;
  made.runs = std::move(scaled.runs);
  if (scaled.reduces > 0 && made.profile.reduce.empty()) {
    throw Infeasible(fmt::format("no run of '{}' had reduces to predict {} from", name, scaled.reduces),
                     "ask for 0 reduces, or import a run that had some");
  }
  return made;
}

PreparedPrediction::PreparedPrediction(std::string name, std::span<const RunPhases> runs,
                                       const RunSize& wanted, const PredictionOptions& options)
    : name_(std::move(name)), runs_(runs), wanted_(wanted), options_(options) {
  const ScaledRuns scaled = scale_runs(runs, size_on({1, 1}));  // the counts are the same on any slots
  maps_ = scaled.maps;
  reduces_ = scaled.reduces;
  contention_ = scaled.contention;
  if (!options.interval) return;
  calibration_ = calibrate(runs, wanted, {.seed = options.seed, .contention = options.contention});
}

RunSize PreparedPrediction::size_on(SlotPool slots) const {
  if (slots.map_slots < 0 || slots.reduce_slots < 0)
    throw UsageError("a negative number of slots", "count from 1");
  RunSize size = wanted_;
  if (options_.contention) {
    if (!size.map_slots) size.map_slots = slots.map_slots;
    if (!size.reduce_slots) size.reduce_slots = slots.reduce_slots;
  }
  return size;
}

Percentiles PreparedPrediction::simulated(std::span<const RunPhases> scaled, SlotPool slots) const {
  const RunModel model = run_model(scaled, options_.seed);
  return with_interval(simulate_runs(model, {maps_, reduces_, slots}, options_.seed, options_.replications),
                       calibration_, options_.seed);
}

Prediction PreparedPrediction::at(SlotPool slots) const {
  const ScaledProfile scaled = scaled_profile(name_, runs_, size_on(slots), options_.seed);
  Prediction prediction;
  prediction.job = scaled.job;
  prediction.slots = slots;
  prediction.bounds = job_bounds(scaled.job, slots);
  prediction.wave_ms = completion_ms(scaled.job, slots, TimeModel::wave);
  prediction.simple_ms = completion_ms(scaled.job, slots, TimeModel::simple);
  prediction.percentiles = simulated(scaled.runs, slots);
  prediction.calibration = calibration_;
  prediction.scaling = scaled.scaling;
  prediction.contention = scaled.contention;
  prediction.input_unused = wanted_.input && scaled.scaling == ScalingMethod::none;
  prediction.runs = scaled.profile.runs;
  return prediction;
}

Percentiles PreparedPrediction::percentiles_at(SlotPool slots) const {
  return simulated(scale_runs(runs_, size_on(slots)).runs, slots);
}

double PreparedPrediction::formula_at(SlotPool slots, TimeModel model) const {
  return completion_ms(scaled_profile(name_, runs_, size_on(slots), options_.seed).job, slots, model);
}

Prediction predict(const std::string& name, std::span<const RunPhases> runs, SlotPool slots,
                   const RunSize& wanted, const PredictionOptions& options) {
  return PreparedPrediction(name, runs, wanted, options).at(slots);
}

}  // namespace wavewright
