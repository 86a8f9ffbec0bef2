#include "wavewright/sim/calibration/heartbeat_history.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>

namespace wavewright::sim {

namespace {

constexpr double shortest = 50, longest = 60'000;  // ms
constexpr double step = 1.001;
constexpr double periods_seen = 10.5;
constexpr double around = 0.02;
constexpr double least_regularity = 0.35, least_deviations = 5;
constexpr double nearly = 0.6;
constexpr std::size_t least_gaps = 30, most_gaps = 5'000;
constexpr int most_multiple = 6;

template <class KeyOf>
std::vector<double> gaps_by(std::span<const JobRun> runs, KeyOf key_of) {
  std::map<std::string, std::vector<std::int64_t>> starts;
  for (const JobRun& run : runs) {
    for (const TaskRun& task : run.tasks) {
      if (task.kind != TaskKind::map && task.kind != TaskKind::reduce) continue;
      for (const Attempt& attempt : task.attempts) {
        if (attempt.start) starts[key_of(run, attempt)].push_back(to_ms(*attempt.start));
      }
    }
  }
  std::vector<double> gaps;
  for (auto& [key, instants] : starts) {
    std::sort(instants.begin(), instants.end());
    for (std::size_t i = 1; i < instants.size(); ++i)
      gaps.push_back(static_cast<double>(instants[i] - instants[i - 1]));
  }
  return gaps;
}

// How close the gaps from `from` to `to` are to multiples of the period: 1 = all of them are. 0 if there are
// too few, or it may be luck. `gaps`: ascending.
double regularity(const std::vector<double>& gaps, double period, double from, double to) {
  const auto first = std::lower_bound(gaps.begin(), gaps.end(), from);
  const auto last = std::upper_bound(first, gaps.end(), to);
  const auto count = static_cast<std::size_t>(last - first);
  if (count < least_gaps) return 0;
  double sum = 0;
  for (auto gap = first; gap != last; ++gap) sum += std::cos(2 * std::numbers::pi * *gap / period);
  const double mean = sum / static_cast<double>(count);
  // The cosine of a uniform angle has variance 1/2.
  const bool luck = mean * std::sqrt(2 * static_cast<double>(count)) < least_deviations;
  // Gaps that are all alike may be tasks' lengths, so some must be of one period and some longer.
  const auto longer = std::upper_bound(first, last, 1.5 * period);
  const auto single =
      std::upper_bound(first, last, 1.25 * period) - std::lower_bound(first, last, 0.75 * period);
  const auto all = last - first;
  return luck || 3 * (last - longer) < all || 10 * single < all ? 0 : mean;
}

struct Period {
  double length = 0;
  double regularity = 0;
};

Period best_of(const std::vector<double>& gaps, double least, double most, auto&& window) {
  Period best;
  for (double tried = least; tried <= most; tried *= step) {
    const auto [from, to] = window(tried);
    const double found = regularity(gaps, tried, from, to);
    if (found > best.regularity) best = {tried, found};
  }
  return best;
}

}  // namespace

std::vector<double> gaps_on_nodes(std::span<const JobRun> runs) {
  return gaps_by(runs, [](const JobRun&, const Attempt& attempt) { return attempt.node; });
}

std::vector<double> gaps_of_jobs(std::span<const JobRun> runs) {
  return gaps_by(runs, [](const JobRun& run, const Attempt&) { return run.id; });
}

std::optional<Duration> period_of(std::vector<double> gaps) {
  if (gaps.size() > most_gaps) gaps.resize(most_gaps);
  std::sort(gaps.begin(), gaps.end());
  Period best = best_of(gaps, shortest, longest,
                        [](double tried) { return std::pair(tried / 2, periods_seen * tried); });
  if (best.regularity < least_regularity) return std::nullopt;
  // A half or a third of the period fits as well, or better if some starts come at any time. But a multiple
  // of the period would hardly fit the same gaps.
  const std::pair same(best.length / 2, periods_seen * best.length);
  const double enough = nearly * best.regularity;
  for (int times = most_multiple; times > 1; --times) {
    const double whole = times * best.length;
    const Period found =
        best_of(gaps, whole * (1 - around), whole * (1 + around), [&](double) { return same; });
    if (found.regularity < enough) continue;
    best = found;
    break;
  }
  return ms(std::llround(best.length));
}

}  // namespace wavewright::sim
