#include "wavewright/predict/run_model.h"

#include <algorithm>

#include "wavewright/profile/profile.h"
#include "wavewright/profile/waits.h"

namespace wavewright {

namespace {

using Phase = std::vector<Duration> Samples::*;
constexpr Phase every_phase[] = {&Samples::map,        &Samples::first_shuffle, &Samples::shuffle,
                                 &Samples::reduce,     &Samples::map_ramp,      &Samples::map_wait,
                                 &Samples::reduce_wait};

void limit(std::vector<Duration>& durations, std::uint64_t seed) {
  if (durations.size() > PhaseProfile::sample_limit)
    durations = profile_of(std::move(durations), seed).sample;
}

Samples samples_of(const RunPhases& run, std::uint64_t seed) {
  Samples samples = {run.map,      run.first_shuffle, run.shuffle,    run.reduce,
                     run.map_ramp, run.map_wait,      run.reduce_wait};
  for (const Phase phase : every_phase) limit(samples.*phase, seed);
  return samples;
}

RunModel::Ends ends_of(const RunPhases& run) {
  if (run.startup && run.commit) return {*run.startup, *run.commit};
  return {run.overhead.value_or(Duration{}), {}};
}

}  // namespace

RunModel run_model(std::span<const RunPhases> runs, std::uint64_t seed) {
  RunModel model;
  for (const RunPhases& run : runs) {
    const Samples& own = model.runs.emplace_back(samples_of(run, seed));
    for (const Phase phase : every_phase) {
      std::vector<Duration>& all = model.pooled.*phase;
      all.insert(all.end(), (own.*phase).begin(), (own.*phase).end());
    }
    model.ends.push_back(ends_of(run));
  }
  Samples& pooled = model.pooled;
  for (const Phase phase : every_phase) limit(pooled.*phase, seed);
  std::sort(pooled.map_ramp.begin(), pooled.map_ramp.end());
  model.shuffle_has_length = !pooled.first_shuffle.empty() && !pooled.shuffle.empty();
  if (pooled.first_shuffle.empty()) pooled.first_shuffle = pooled.shuffle;
  if (pooled.shuffle.empty()) pooled.shuffle = pooled.first_shuffle;
  const auto told =
      std::find_if(runs.begin(), runs.end(), [](const RunPhases& run) { return !run.settings.empty(); });
  if (told != runs.end()) model.slowstart = slowstart_of(told->settings);
  return model;
}

void draw(std::span<const Duration> sample, Random& random, std::vector<Duration>& into) {
  for (Duration& duration : into) {
    duration = sample.empty() ? Duration{} : sample[random.below(sample.size())];
  }
}

}  // namespace wavewright
