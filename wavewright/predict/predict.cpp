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

Prediction predict(const std::string& name, std::span<const RunPhases> runs, SlotPool slots,
                   const RunSize& wanted, const PredictionOptions& options) {
  if (slots.map_slots < 0 || slots.reduce_slots < 0)
    throw UsageError("a negative number of slots", "count from 1");
  RunSize size = wanted;
  if (options.contention) {
    if (!size.map_slots) size.map_slots = slots.map_slots;
    if (!size.reduce_slots) size.reduce_slots = slots.reduce_slots;
  }
  const ScaledProfile scaled = scaled_profile(name, runs, size, options.seed);
  Prediction prediction;
  prediction.job = scaled.job;
  prediction.slots = slots;
  prediction.bounds = job_bounds(scaled.job, slots);
  prediction.wave_ms = completion_ms(scaled.job, slots, TimeModel::wave);
  prediction.simple_ms = completion_ms(scaled.job, slots, TimeModel::simple);
  const RunModel model = run_model(scaled.runs, options.seed);
  const SimulatedRuns simulated =
      simulate_runs(model, {scaled.job.maps, scaled.job.reduces, slots}, options.seed, options.replications);
  if (options.interval) {
    prediction.calibration =
        calibrate(runs, wanted, {.seed = options.seed, .contention = options.contention});
  }
  prediction.percentiles = with_interval(simulated, prediction.calibration, options.seed);
  prediction.scaling = scaled.scaling;
  prediction.contention = scaled.contention;
  prediction.input_unused = wanted.input && scaled.scaling == ScalingMethod::none;
  prediction.runs = scaled.profile.runs;
  return prediction;
}

}  // namespace wavewright
