#include "wavewright/predict/predict.h"

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/profile/profile.h"

namespace wavewright {

ScaledProfile scaled_profile(const std::string& name, std::span<const RunPhases> runs, const RunSize& wanted,
                             std::uint64_t seed) {
  const ScaledRuns scaled = scale_runs(runs, wanted);
  ScaledProfile made;
  made.profile = build_profile(name, scaled.runs, seed);
  made.job = statistics_of(made.profile);
  made.job.maps = scaled.maps;
  made.job.reduces = scaled.reduces;
  made.scaling = scaled.method;
  made.contention = scaled.contention;
  if (scaled.reduces > 0 && made.profile.reduce.empty()) {
    throw NoAnswer(fmt::format("no run of '{}' had reduces to predict {} from", name, scaled.reduces),
                   "ask for 0 reduces, or import a run that had some");
  }
  return made;
}

Prediction predict(const std::string& name, std::span<const RunPhases> runs, SlotPool slots,
                   const RunSize& wanted, const PredictionOptions& options) {
  if (slots.map_slots < 0 || slots.reduce_slots < 0)
    throw UsageError("a negative number of slots", "count from 1");
  RunSize size = wanted;
  if (options.contention && !size.map_slots) size.map_slots = slots.map_slots;
  const ScaledProfile scaled = scaled_profile(name, runs, size, options.seed);
  Prediction prediction;
  prediction.job = scaled.job;
  prediction.slots = slots;
  prediction.bounds = job_bounds(scaled.job, slots);
  prediction.wave_ms = completion_ms(scaled.job, slots, TimeModel::wave);
  prediction.simple_ms = completion_ms(scaled.job, slots, TimeModel::simple);
  prediction.percentiles =
      simulate_percentiles(scaled.profile, scaled.job, slots, options.seed, options.replications);
  prediction.scaling = scaled.scaling;
  prediction.contention = scaled.contention;
  prediction.runs = scaled.profile.runs;
  return prediction;
}

}  // namespace wavewright
