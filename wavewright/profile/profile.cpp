#include "wavewright/profile/profile.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "wavewright/core/random.h"

namespace wavewright {

namespace {

bool counts(const RunPhases& run) {
  return run.state == RunState::succeeded;
}

using Durations = std::vector<Duration> RunPhases::*;

double mean_of(const std::vector<Duration>& durations) {
  double sum = 0;
  for (const Duration duration : durations) sum += static_cast<double>(duration.count());
  return durations.empty() ? 0 : sum / static_cast<double>(durations.size());
}

PhaseProfile pool(std::span<const RunPhases> runs, Durations phase, std::uint64_t seed) {
  std::vector<Duration> all;
  std::optional<Duration> smallest_max;
  for (const RunPhases& run : runs) {
    const std::vector<Duration>& own = run.*phase;
    if (!counts(run) || own.empty()) continue;
    all.insert(all.end(), own.begin(), own.end());
    const Duration most = *std::max_element(own.begin(), own.end());
    if (!smallest_max || most < *smallest_max) smallest_max = most;
  }
  PhaseProfile profile = profile_of(std::move(all), seed);
  profile.smallest_max = smallest_max.value_or(Duration{});
  return profile;
}

void add(AttemptCounts& sum, const AttemptCounts& more) {
  sum.succeeded += more.succeeded;
  sum.failed += more.failed;
  sum.killed += more.killed;
  sum.speculative += more.speculative;
}

// Σ numerator / Σ denominator over the runs with both.
std::optional<double> ratio(std::span<const RunPhases> runs, std::optional<Bytes> RunPhases::* numerator,
                            std::optional<Bytes> RunPhases::* denominator) {
  double above = 0;
  double below = 0;
  for (const RunPhases& run : runs) {
    const std::optional<Bytes> part = run.*numerator;
    const std::optional<Bytes> whole = run.*denominator;
    if (!counts(run) || !part || !whole) continue;
    above += static_cast<double>(part->count);
    below += static_cast<double>(whole->count);
  }
  return below > 0 ? std::optional(above / below) : std::nullopt;
}

std::optional<double> input_per_map(std::span<const RunPhases> runs) {
  double bytes = 0;
  double maps = 0;
  for (const RunPhases& run : runs) {
    if (!counts(run) || !run.map_input) continue;
    bytes += static_cast<double>(run.map_input->count);
    maps += static_cast<double>(run.maps);
  }
  return maps > 0 ? std::optional(bytes / maps) : std::nullopt;
}

void count_runs(std::span<const RunPhases> runs, JobProfile& profile) {
  double maps = 0;
  double reduces = 0;
  std::vector<Duration> overheads;
  for (const RunPhases& run : runs) {
    profile.failed_runs += run.state == RunState::failed ? 1 : 0;
    profile.killed_runs += run.state == RunState::killed ? 1 : 0;
    add(profile.map_attempts, run.map_attempts);
    add(profile.reduce_attempts, run.reduce_attempts);
    const std::optional<Time> when = run.submit ? run.submit : run.finish;
    if (when && (!profile.newest || *when > *profile.newest)) profile.newest = when;
    if (!counts(run)) continue;
    ++profile.runs;
    maps += static_cast<double>(run.maps);
    reduces += static_cast<double>(run.reduces);
    if (run.overhead) overheads.push_back(*run.overhead);
  }
  const double runs_counted = std::max<double>(1, static_cast<double>(profile.runs));
  profile.maps_per_run = maps / runs_counted;
  profile.reduces_per_run = reduces / runs_counted;
  profile.overhead_ms = static_cast<double>(profile_of(std::move(overheads)).quantile(0.5).count());
}

Spread spread_of_means(std::span<const RunPhases> runs, Durations phase) {
  std::vector<double> means;
  for (const RunPhases& run : runs) {
    if (counts(run) && !(run.*phase).empty()) means.push_back(mean_of(run.*phase));
  }
  return spread_of(means);
}

}  // namespace

PhaseProfile profile_of(std::vector<Duration> durations, std::uint64_t seed) {
  PhaseProfile profile;
  if (durations.empty()) return profile;
  profile.count = static_cast<Count>(durations.size());
  profile.mean_ms = mean_of(durations);
  const auto [least, most] = std::minmax_element(durations.begin(), durations.end());
  profile.min = *least;
  profile.max = *most;
  profile.smallest_max = *most;
  if (durations.size() > PhaseProfile::sample_limit) {
    Random random(seed, "profile sample");
    for (std::size_t i = 0; i < PhaseProfile::sample_limit; ++i) {  // the start of a Fisher–Yates shuffle
      std::swap(durations[i], durations[i + random.below(durations.size() - i)]);
    }
    durations.resize(PhaseProfile::sample_limit);
    durations.shrink_to_fit();
  }
  std::sort(durations.begin(), durations.end());
  profile.sample = std::move(durations);
  return profile;
}

JobProfile build_profile(const std::string& name, std::span<const RunPhases> runs, std::uint64_t seed) {
  JobProfile profile;
  profile.name = name;
  count_runs(runs, profile);
  profile.map = pool(runs, &RunPhases::map, seed);
  profile.first_shuffle = pool(runs, &RunPhases::first_shuffle, seed);
  profile.shuffle = pool(runs, &RunPhases::shuffle, seed);
  profile.reduce = pool(runs, &RunPhases::reduce, seed);
  profile.input_per_map = input_per_map(runs);
  profile.map_selectivity = ratio(runs, &RunPhases::map_output, &RunPhases::map_input);
  profile.reduce_selectivity = ratio(runs, &RunPhases::reduce_output, &RunPhases::reduce_input);
  return profile;
}

Spread spread_of(std::span<const double> values) {
  Spread spread;
  if (values.empty()) return spread;
  spread.runs = static_cast<Count>(values.size());
  const auto count = static_cast<double>(values.size());
  spread.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
  spread.deviation = values.size() > 1 ? std::sqrt(squares / (count - 1)) : 0;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  spread.min = *least;
  spread.max = *most;
  return spread;
}

Stability stability_of(std::span<const RunPhases> runs) {
  std::vector<double> measured, map_waves, reduce_waves;
  for (const RunPhases& run : runs) {
    if (!counts(run)) continue;
    if (const auto time = run.measured()) measured.push_back(static_cast<double>(time->count()));
    const auto waves = [](Count tasks, Count slots) {
      return std::ceil(static_cast<double>(tasks) / static_cast<double>(slots));
    };
    if (run.slots.map_slots > 0) map_waves.push_back(waves(run.maps, run.slots.map_slots));
    if (run.slots.reduce_slots > 0) reduce_waves.push_back(waves(run.reduces, run.slots.reduce_slots));
  }
  return {spread_of_means(runs, &RunPhases::map),
          spread_of_means(runs, &RunPhases::first_shuffle),
          spread_of_means(runs, &RunPhases::shuffle),
          spread_of_means(runs, &RunPhases::reduce),
          spread_of(measured),
          spread_of(map_waves),
          spread_of(reduce_waves)};
}

}  // namespace wavewright
