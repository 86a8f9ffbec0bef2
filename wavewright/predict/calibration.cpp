#include "wavewright/predict/calibration.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <boost/math/distributions/students_t.hpp>

#include "wavewright/core/error.h"
#include "wavewright/core/random.h"
#include "wavewright/profile/groups.h"

namespace wavewright {

namespace {

constexpr std::size_t tasks_kept = 128;  // per phase of a run
constexpr Count replications_per_run = 15;

void thin(std::vector<Duration>& durations) {
  if (durations.size() <= tasks_kept) return;
  for (std::size_t i = 0; i < tasks_kept; ++i) durations[i] = durations[i * durations.size() / tasks_kept];
  durations.resize(tasks_kept);
}

std::vector<RunPhases> thinned(std::span<const RunPhases> runs, std::size_t most) {
  std::vector<RunPhases> kept;
  for (const RunPhases& run : runs) {
    if (run.state != RunState::succeeded || kept.size() == most) continue;
    RunPhases& copy = kept.emplace_back(run);
    for (const auto phase : {&RunPhases::map, &RunPhases::first_shuffle, &RunPhases::shuffle,
                             &RunPhases::reduce, &RunPhases::map_wait, &RunPhases::reduce_wait}) {
      thin(copy.*phase);
    }
  }
  return kept;
}

bool is_new_size(std::span<const RunPhases> runs, const RunSize& wanted) {
  RunPhases like;
  like.map_input = wanted.input;
  like.maps = wanted.maps.value_or(0);
  if (!wanted.input && !wanted.maps) return false;
  return std::none_of(runs.begin(), runs.end(),
                      [&](const RunPhases& run) { return size_class(run) == size_class(like); });
}

struct Stray {
  double log_error = 0;
  double luck = 0;  // log deviation of the simulated totals
};

std::optional<Stray> stray_of(const RunPhases& run, std::span<const RunPhases> others,
                              const CalibrationOptions& options) {
  const std::optional<Duration> measured = run.measured();
  if (!measured || *measured <= Duration{} || others.empty()) return std::nullopt;
  RunSize size = {.input = run.map_input, .maps = run.maps, .reduces = run.reduces};
  if (size.input && size.input->count <= 0) size.input.reset();
  if (options.contention) {
    size.map_slots = run.slots.map_slots;
    size.reduce_slots = run.slots.reduce_slots;
  }
  try {
    const ScaledRuns scaled = scale_runs(others, size);
    const RunModel model = run_model(scaled.runs, options.seed);
    if (run.reduces > 0 && model.pooled.reduce.empty()) return std::nullopt;
    const SimulatedRuns simulated =
        simulate_runs(model, {run.maps, run.reduces, run.slots}, options.seed, replications_per_run);
    if (simulated.quantile(0.5) <= 0) return std::nullopt;
    return Stray{std::log(static_cast<double>(measured->count()) / simulated.quantile(0.5)),
                 simulated.log_deviation()};
  } catch (const Error&) {  // unknown slots, impossible sizes
    return std::nullopt;
  }
}

}  // namespace

double Calibration::scale() const {
  return deviation * std::sqrt(1 + 1 / static_cast<double>(std::max<Count>(1, runs)));
}

Calibration calibrate(std::span<const RunPhases> runs, const RunSize& wanted,
                      const CalibrationOptions& options) {
  const std::vector<RunPhases> kept = thinned(runs, options.runs_at_most);
  const bool new_size = is_new_size(kept, wanted);
  double squares = 0;
  double luck = 0;
  Count count = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    std::vector<RunPhases> others;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      if (k != i && !(new_size && size_class(kept[k]) == size_class(kept[i]))) others.push_back(kept[k]);
    }
    const std::optional<Stray> error = stray_of(kept[i], others, options);
    if (!error) continue;
    ++count;
    // The other runs vary as well; this factor leaves the variation of one run.
    const double share = static_cast<double>(others.size()) / static_cast<double>(others.size() + 1);
    squares += error->log_error * error->log_error * share;
    luck += error->luck * error->luck;
  }
  Calibration result;
  result.runs = count;
  const double told = std::max<double>(0, static_cast<double>(count) - 1);
  const double between = count == 0 ? 0 : std::max(0.0, (squares - luck) / static_cast<double>(count));
  result.freedom = told + Calibration::prior_freedom;
  result.deviation = std::sqrt((told * between + Calibration::prior_freedom * Calibration::prior_deviation *
                                                     Calibration::prior_deviation) /
                               result.freedom);
  return result;
}

Percentiles with_interval(const SimulatedRuns& simulated, const Calibration& calibration,
                          std::uint64_t seed) {
  Percentiles result;
  const std::size_t count = simulated.totals_ms.size();
  result.replications = static_cast<Count>(count);
  result.stages = simulated.stages;
  result.mean_ms = simulated.stages.total_ms();
  result.p50_ms = simulated.quantile(0.5);
  // Multiplies each simulated total by a stratified draw of the variation, paired at random.
  const boost::math::students_t_distribution<double> student(calibration.freedom);
  std::vector<std::size_t> pairing(count);
  std::iota(pairing.begin(), pairing.end(), std::size_t{0});
  Random random(seed, "between runs");
  random.shuffle(std::span(pairing));
  constexpr auto longest = static_cast<double>(longest_duration.count());
  result.totals_ms.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double place = (static_cast<double>(pairing[i]) + 0.5) / static_cast<double>(count);
    const double factor = std::exp(calibration.scale() * boost::math::quantile(student, place));
    // Where hardly anything is known, a factor may exceed every number.
    result.totals_ms.push_back(std::min(simulated.totals_ms[i] * factor, longest));
  }
  std::sort(result.totals_ms.begin(), result.totals_ms.end());
  result.p5_ms = result.at(0.05);
  result.p95_ms = result.at(0.95);
  return result;
}

}  // namespace wavewright
