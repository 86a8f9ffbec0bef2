#include "wavewright/predict/length_model.h"

#include <algorithm>
#include <cmath>

#include "wavewright/predict/run_model.h"

namespace wavewright {

namespace {

constexpr double least_within = 0.02, most_within = 1.5;

double mean_ms(std::span<const Duration> sample) {
  double sum = 0;
  for (const Duration each : sample) sum += static_cast<double>(each.count());
  return sample.empty() ? 0 : sum / static_cast<double>(sample.size());
}

struct LogMoments {
  double mean = 0, variance = 0;
  double count = 0;
};
LogMoments log_moments(std::span<const Duration> sample) {
  LogMoments found;
  for (const Duration each : sample) {
    if (each <= Duration{}) continue;
    const double value = std::log(static_cast<double>(each.count()));
    ++found.count;
    const double off = value - found.mean;
    found.mean += off / found.count;
    found.variance += off * (value - found.mean);
  }
  if (found.count > 1) found.variance /= found.count - 1;
  return found;
}

// The variation of the lengths of one stage, within runs and between them.
StageLengths variation(const std::vector<std::vector<Duration>>& runs) {
  double squares = 0, freedom = 0, inverse_counts = 0;
  std::vector<double> means;
  for (const std::vector<Duration>& run : runs) {
    const LogMoments own = log_moments(run);
    if (own.count == 0) continue;
    squares += own.variance * (own.count - 1);
    freedom += own.count - 1;
    inverse_counts += 1 / own.count;
    means.push_back(own.mean);
  }
  StageLengths found;
  if (freedom > 0) found.within = std::clamp(std::sqrt(squares / freedom), least_within, most_within);
  if (means.size() < 2) return found;
  const auto count = static_cast<double>(means.size());
  double mean = 0, spread = 0;
  for (const double each : means) mean += each / count;
  for (const double each : means) spread += (each - mean) * (each - mean) / (count - 1);
  // A run's mean also varies by the luck of its tasks.
  const double between = std::max(0.0, spread - found.within * found.within * inverse_counts / count);
  const double prior = StageLengths::prior_deviation * StageLengths::prior_deviation;
  found.freedom = count - 1 + StageLengths::prior_runs;
  found.between =
      std::sqrt(((count - 1) * between + StageLengths::prior_runs * prior) / found.freedom * (1 + 1 / count));
  return found;
}

void keep_some(std::vector<Duration>& sample) {
  if (sample.size() <= LengthModel::most_kept) return;
  for (std::size_t i = 0; i < LengthModel::most_kept; ++i)
    sample[i] = sample[i * sample.size() / LengthModel::most_kept];
  sample.resize(LengthModel::most_kept);
}

Duration median(std::vector<Duration> values) {
  if (values.empty()) return {};
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

double StageLengths::draw_between(Random& random) const {
  const double normal = random.normal(0, 1);
  double squares = 0;
  const auto whole = static_cast<int>(std::min(30.0, freedom));
  for (int i = 0; i < whole; ++i) squares += std::pow(random.normal(0, 1), 2);
  return whole == 0 || squares <= 0 ? between * normal
                                    : between * normal / std::sqrt(squares / static_cast<double>(whole));
}

double LengthModel::mean_map_ms() const {
  return mean_ms(map);
}

double LengthModel::mean_reduce_ms(bool later) const {
  return mean_ms(reduce) + mean_ms(later ? shuffle : first_shuffle);
}

LengthModel length_model(std::span<const RunPhases> runs, std::uint64_t seed) {
  RunModel all = run_model(runs, seed);
  LengthModel model;
  model.runs = static_cast<Count>(runs.size());
  std::vector<std::vector<Duration>> maps, reduces;
  std::vector<Duration> startups, commits;
  for (const RunPhases& run : runs) {
    maps.push_back(run.map);
    reduces.push_back(run.reduce);
    if (run.startup) startups.push_back(*run.startup);
    if (run.commit) commits.push_back(*run.commit);
  }
  model.maps = variation(maps);
  model.reduces = variation(reduces);
  model.startup = median(std::move(startups));
  model.commit = median(std::move(commits));
  model.wait = median(all.pooled.map_wait);
  model.map = std::move(all.pooled.map);
  model.reduce = std::move(all.pooled.reduce);
  model.first_shuffle = std::move(all.pooled.first_shuffle);
  model.shuffle = std::move(all.pooled.shuffle);
  for (auto* sample : {&model.map, &model.reduce, &model.first_shuffle, &model.shuffle}) keep_some(*sample);
  return model;
}

LengthModel fixed_lengths(Duration map, Duration reduce) {
  LengthModel model;
  if (map > Duration{}) model.map = {map};
  if (reduce > Duration{}) model.reduce = {reduce};
  return model;
}

}  // namespace wavewright
